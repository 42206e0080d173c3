import type { RunReport } from '../../engine/run/run-report.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { ShardPlan } from '../shard-plan.ts'

/** The report of the manifest in place, where it is that of this plan and its files are there. */
export async function readPublished(
  { planId, pipeline }: Pick<ShardPlan, 'planId' | 'pipeline'>,
  storage: Pick<FileStorage, 'read' | 'sizeOf'>,
): Promise<RunReport | null> {
  const bytes = await storage.read(pipeline.manifest.path)
  const report = bytes === null ? null : parseReport(bytes)
  if (report?.plan?.planId !== planId) return null
  for (const { path, bytes: size } of report.files) if ((await storage.sizeOf(path)) !== size) return null
  return report
}

function parseReport(bytes: Uint8Array): RunReport | null {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as RunReport
  } catch {
    // Who reads it to replace it says what is wrong.
    return null
  }
}
