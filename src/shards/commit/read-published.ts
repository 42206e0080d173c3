import { readManifest } from '../../manifest/read-manifest.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { ShardPlan } from '../shard-plan.ts'
import type { Manifest } from '../../manifest/manifest.ts'

/** The report of the published manifest; null if it isn't that of this plan, or a file is missing. */
export async function readPublished(
  { planId, pipeline }: Pick<ShardPlan, 'planId' | 'pipeline'>,
  storage: Pick<FileStorage, 'read' | 'sizeOf'>,
): Promise<Manifest | null> {
  const published = await readManifest(pipeline.report.manifest.path, 'anyones', storage)
  if (published?.plan?.planId !== planId) return null
  // The commit of this plan has written every member.
  const report = published as Manifest
  for (const { path, bytes: size } of report.files) if ((await storage.sizeOf(path)) !== size) return null
  return report
}
