import { type PackagedFile, toDataPackage } from '../../describe/to-data-package.ts'
import type { ProfileReport } from '../../loads/state/published-state.ts'
import type { FilePlan } from '../../plan/outputs/file-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { openTogether } from '../../storage/open-together.ts'
import { type FinishedFile, toFinishedFile } from '../../storage/publication.ts'
import type { StagedFile } from '../../storage/staged-file.ts'
import type { RunEnd, StagingOptions } from './outputs.ts'

/** A file of a plan with the files that hold it now. */
export interface PackagedOutput {
  readonly file: FilePlan
  readonly published: readonly PackagedFile[]
}

interface PackagedPlan extends Pick<PipelinePlan, 'name' | 'contract' | 'records' | 'manifest' | 'duplicates'> {
  /** The path of the data package. */
  readonly path: string
}

/** The staged data package of the files of a run. */
export class StagedDataPackage {
  readonly report: ProfileReport
  readonly finished: FinishedFile
  readonly #staged: StagedFile

  private constructor(staged: StagedFile, report: ProfileReport) {
    this.#staged = staged
    this.report = report
    this.finished = toFinishedFile(staged, report.sha256)
  }

  static async write(
    { path, duplicates, ...plan }: PackagedPlan,
    outputs: readonly PackagedOutput[],
    { counters }: Pick<RunEnd, 'counters'>,
    { storage, token }: StagingOptions,
  ): Promise<StagedDataPackage> {
    const files = outputs.map(({ file }) => file)
    const published = outputs.map((output) => output.published)
    const hasUniqueIds = duplicates !== 'keep' || counters.ledger.repeatedIds === 0
    const content = toDataPackage({ ...plan, files }, { published, hasUniqueIds })
    return openTogether(async (keep) => {
      const staged = keep(await storage.openFile(path, { token }))
      await staged.write(Buffer.from(`${JSON.stringify(content, null, 2)}\n`))
      const { bytes, sha256 } = await staged.finish()
      return new StagedDataPackage(staged, { path, bytes, sha256 })
    })
  }

  discard(): Promise<void> {
    return this.#staged.discard()
  }
}
