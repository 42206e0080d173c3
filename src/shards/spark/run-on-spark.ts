import { CatalogueError } from '../../errors.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { joinPath, siblingOf, toAbsolutePath } from '../../storage/paths.ts'
import { commitShards, type CommitShardsOptions } from '../commit/commit-shards.ts'
import { resolveIds } from '../ids/resolve-ids.ts'
import { planShards } from '../plan/plan-shards.ts'
import { isPublished, listOpenShards, stagesOf } from '../run-planned.ts'
import { checkRows } from './check-rows.ts'
import { runTasks, type SparkOptions } from './run-tasks.ts'
import type { Manifest } from '../../manifest/manifest.ts'

export interface RunOnSparkOptions extends Omit<CommitShardsOptions, 'keep'>, SparkOptions {
  /**
   * The folder of the plan, which all machines see. Default: a folder beside the manifest, which is removed at the end.
   */
  readonly plan?: string | undefined
  readonly bytes?: number | undefined
}

/**
 * Plans a run in shards, runs the unfinished ones as tasks on Spark, and commits them. The outputs are the same as from
 * `runPlanned`. Throws what planning and the commit throw, what a shard that failed for good said, and what `runTasks`
 * throws.
 */
export async function runOnSpark(pipeline: PipelinePlan, options: RunOnSparkOptions): Promise<Manifest> {
  const { env = process.env, signal = new AbortController().signal, onWarning, bytes } = options
  const context = { env, signal, onWarning }
  const to = options.plan ?? ((planId: string) => joinPath(ownFolder(pipeline.report), planId.slice(0, 16)))
  const made = await planShards(pipeline, { to, bytes, env })
  // Executors have other working folders.
  const folder = toAbsolutePath(typeof to === 'string' ? to : to(made.planId))
  for (const stage of stagesOf(made)) {
    const shards = await listOpenShards(folder, stage, { env })
    if (shards.length > 0) checkRows(await runTasks({ ...options, plan: folder, shards, stage }, context))
    if (stage === 'ids' && !(await isPublished(folder, { env }))) await resolveIds(folder, { env })
  }
  const { report } = await commitShards(folder, options)
  if (options.plan === undefined) await removeOwnFolder(pipeline.report, context)
  return report
}

/** Beside the manifest, so that outputs and attempts are on one storage. */
function ownFolder({ manifest: { path } }: ReportPlan): string {
  return siblingOf(toAbsolutePath(path), '_shards')
}

/** Removes the folder, with the files of failed runs. A task that Spark has given up may still write for a moment. */
async function removeOwnFolder(
  report: ReportPlan,
  { env, onWarning }: RequiredContext<'env'> & Pick<RunContext, 'onWarning'>,
): Promise<void> {
  const storage = await openStorage(report.manifest.path, env)
  const folder = ownFolder(report)
  try {
    await storage.removeFolder(folder)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    onWarning?.(`${folder}: not removed, though nothing needs it any more: ${error.message}`)
  } finally {
    await storage.close()
  }
}
