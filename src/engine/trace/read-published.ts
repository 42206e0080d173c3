import { z } from 'zod'
import { CatalogueError } from '../../errors.ts'
import { upgradeManifest } from '../../loads/state/upgrade-state.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { parseObject } from '../../records/json/json-values.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { PublishedRun, UnreadablePublication } from './trace-report.ts'

const publishedRun = z.object({
  pipeline: z.string(),
  runId: z.string(),
  finishedAt: z.string(),
  replayed: z.object({ path: z.string(), lines: z.number() }).optional(),
})

type OutputPlan = Pick<PipelinePlan, 'name' | 'manifest'>

/**
 * The run whose outputs are published; null where there is none of this pipeline, or no manifest that says it. Outputs out of
 * reach, in a bucket for instance, are no reason not to trace.
 */
export async function readPublished(
  plan: OutputPlan,
  context: RequiredContext<'env'>,
): Promise<PublishedRun | UnreadablePublication | null> {
  try {
    return await readManifest(plan, context)
  } catch (error) {
    if (error instanceof CatalogueError) return { unreadable: error.message }
    throw error
  }
}

async function readManifest(
  { name, manifest }: OutputPlan,
  { env }: RequiredContext<'env'>,
): Promise<PublishedRun | null> {
  const storage = await openStorage(manifest.path, env)
  try {
    const bytes = await storage.read(manifest.path)
    const { data } = publishedRun.safeParse(
      bytes === null ? null : upgradeManifest(parseObject(Buffer.from(bytes).toString()), manifest.path),
    )
    if (data === undefined || data.pipeline !== name) return null
    const { runId, finishedAt, replayed } = data
    return { runId, finishedAt, ...(replayed && { replayed }) }
  } finally {
    await storage.close()
  }
}
