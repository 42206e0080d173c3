import { z } from 'zod'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { openStorage } from '../../publish/open-storage.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { PublishedRun } from './trace-report.ts'

const publishedRun = z.object({
  pipeline: z.string(),
  runId: z.string(),
  finishedAt: z.string(),
  replayed: z.object({ path: z.string(), lines: z.number() }).optional(),
})

/** The run whose outputs are published; null where there is none of this pipeline, or no manifest that says it. */
export async function readPublished(
  { name, manifest }: Pick<PipelinePlan, 'name' | 'manifest'>,
  { env }: RequiredContext<'env'>,
): Promise<PublishedRun | null> {
  const storage = await openStorage(manifest.path, env)
  try {
    const bytes = await storage.read(manifest.path)
    const { data } = publishedRun.safeParse(bytes === null ? null : parseJson(Buffer.from(bytes).toString()))
    if (data === undefined || data.pipeline !== name) return null
    const { runId, finishedAt, replayed } = data
    return { runId, finishedAt, ...(replayed && { replayed }) }
  } finally {
    await storage.close()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Another program's file, or a damaged one: `verify` says what is wrong with it.
    return null
  }
}
