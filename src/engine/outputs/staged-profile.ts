import type { ProfileReport } from '../../loads/state/published-state.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RunProfile } from '../../profile/run-profile.ts'
import { toRunProfile } from '../../profile/to-run-profile.ts'
import { openTogether } from '../../storage/open-together.ts'
import { type FinishedFile, toFinishedFile } from '../../storage/publication.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import type { RunEnd, StagingOptions } from './outputs.ts'

type ProfiledPlan = Pick<PipelinePlan, 'name' | 'profile' | 'records'>

/** The profile of the rows that a run has encoded. Null for `profile: false`. */
export function profileRun(
  { name, profile, records }: ProfiledPlan,
  { runId, counters }: Pick<RunEnd, 'runId' | 'counters'>,
): RunProfile | null {
  if (profile === null) return null
  const { rows, rowCounts } = counters
  return toRunProfile({ pipeline: name, runId, tables: records.tables, rows, parts: rowCounts })
}

/** The staged profile of the rows that a run has encoded. */
export class StagedProfile {
  readonly report: ProfileReport
  readonly content: RunProfile
  readonly finished: FinishedFile
  readonly #staged: StagedFile

  private constructor(staged: StagedFile, report: ProfileReport, content: RunProfile) {
    this.#staged = staged
    this.report = report
    this.content = content
    this.finished = toFinishedFile(staged, report.sha256)
  }

  /** Null for `profile: false`. */
  static async write(
    plan: ProfiledPlan,
    end: Pick<RunEnd, 'runId' | 'counters'>,
    { storage, token }: StagingOptions,
  ): Promise<StagedProfile | null> {
    const content = profileRun(plan, end)
    if (content === null || plan.profile === null) return null
    const { path } = plan.profile
    return openTogether(async (keep) => {
      const staged = keep(await storage.openFile(path, { token }))
      await staged.write(Buffer.from(`${JSON.stringify(content, null, 2)}\n`))
      const { bytes, sha256 } = await staged.finish()
      return new StagedProfile(staged, { path, bytes, sha256 }, content)
    })
  }

  discard(): Promise<void> {
    return this.#staged.discard()
  }
}
