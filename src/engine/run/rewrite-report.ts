import { CatalogueError, toCatalogueError } from '../../errors.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import { type RejectGroup, RejectGroups } from '../../sources/rejects/reject-groups.ts'
import { readRejects } from '../../sources/rejects/read-rejects.ts'
import { listRunsUntil } from '../../manifest/run-history.ts'
import { readProfile } from '../outputs/read-profile.ts'
import { RunHistory } from '../outputs/run-history.ts'
import { renderReport } from '../../report/render-report.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { inFrame, ofPipeline } from '../frame.ts'
import { reportPath } from '../side-files.ts'
import { type WholeManifest, readWholeManifest } from '../../manifest/read-manifest.ts'

export interface RewrittenReport {
  readonly path: string
  readonly runId: string
  readonly notes: readonly string[]
}

/**
 * Renders the page of the last published run again, from its manifest, profile and rejects. Throws SOURCE_NOT_FOUND if
 * nothing is published, STATE_INVALID for a manifest of another version, and LOCKED during a run of the pipeline.
 */
export async function rewriteReport(
  name: string,
  report: ReportPlan,
  outputs: OutputsPlan,
  { signal = new AbortController().signal, env = process.env }: Pick<RunContext, 'env' | 'signal'> = {},
): Promise<RewrittenReport> {
  const frame = { ...ofPipeline(name, report, outputs, { env }), noun: 'writing of the report', signal }
  return inFrame(frame, async ({ storage, token }) => {
    const manifest = await readPublished(name, report, storage)
    const { profile, why } = await readProfile(manifest.profile, manifest.runId, storage)
    const rejects = await readGroups(manifest, { env, signal })
    const examples = report.page?.examples ?? false
    const history = await RunHistory.of(report, { storage, token })?.list()
    const runs = listRunsUntil(history ?? [], manifest)
    const page = renderReport(manifest, profile, { examples, rejects: rejects.found, runs })
    const path = manifest.report?.path ?? report.page?.path ?? reportPath(report)
    await StagedSet.begin({ storage, token }, async (set) => {
      await set.publish({ manifest: await set.write(path, page), home: report.manifest.path })
    })
    return {
      path,
      runId: manifest.runId,
      notes: [...(why === undefined ? [] : [`without the profile: ${why}`]), ...rejects.notes],
    }
  })
}

async function readPublished(name: string, { manifest }: ReportPlan, storage: FileStorage): Promise<WholeManifest> {
  const { path } = manifest
  const whole = await readWholeManifest(path, name, storage)
  if (whole !== null) return whole
  const message = `${path}: expected the manifest of a published run, got no file`
  throw new CatalogueError('SOURCE_NOT_FOUND', message, {
    outputs: 'No report was written.',
    fix: 'Run the pipeline first: a run that publishes writes its report, too.',
  })
}

interface Part<Found> {
  readonly found: Found
  readonly notes: readonly string[]
}

/** The rejects file may belong to a later, failed run. */
async function readGroups(
  { rejects }: Pick<WholeManifest, 'rejects'>,
  context: RequiredContext<'env' | 'signal'>,
): Promise<Part<RejectGroup[]>> {
  if (rejects.count === 0) return { found: [], notes: [] }
  const groups = new RejectGroups({})
  try {
    for await (const { reject } of readRejects(rejects.path, context)) if (reject !== null) groups.add(reject)
  } catch (thrown) {
    const error = toCatalogueError(thrown)
    if (error.code !== 'SOURCE_NOT_FOUND') throw error
    return noExamples(`there is no file "${rejects.path}"`)
  }
  if (groups.count !== rejects.count) return noExamples(`"${rejects.path}" is that of another run`)
  return { found: groups.list(), notes: [] }
}

function noExamples(why: string): Part<RejectGroup[]> {
  return { found: [], notes: [`without examples of rejects: ${why}`] }
}
