import { CatalogueError } from '../../errors.ts'
import { readManifest } from '../../manifest/read-manifest.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { PublishedRun, UnreadablePublication } from './trace-report.ts'

/**
 * The published run; null if there is none of this pipeline. Inaccessible outputs, for instance in a bucket, don't
 * prevent tracing.
 */
export async function readPublished(
  name: string,
  report: ReportPlan,
  context: RequiredContext<'env'>,
): Promise<PublishedRun | UnreadablePublication | null> {
  try {
    return await readRun(name, report, context)
  } catch (error) {
    if (error instanceof CatalogueError) return { unreadable: error.message }
    throw error
  }
}

async function readRun(
  name: string,
  { manifest }: ReportPlan,
  { env }: RequiredContext<'env'>,
): Promise<PublishedRun | null> {
  const storage = await openStorage(manifest.path, env)
  try {
    const published = await readManifest(manifest.path, { ownOrNull: name }, storage)
    const { runId, finishedAt, replayed } = published ?? {}
    return runId === undefined || finishedAt === undefined ? null : { runId, finishedAt, ...(replayed && { replayed }) }
  } finally {
    await storage.close()
  }
}
