import { CatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { RunContext } from '../../run-context.ts'
import { joinPath, parentOf } from '../../storage/paths.ts'
import { isShardPathOf, toShardPath } from '../attempt-paths.ts'
import type { ShardPlan } from '../shard-plan.ts'
import type { Manifest } from '../../manifest/manifest.ts'

export interface PlanPlace {
  readonly folder: string
  readonly plan: ShardPlan
  readonly storage: FileStorage
}

/**
 * Removes the files of attempts after the commit: their folders, and in a bucket the parts that no manifest lists. A
 * failure to remove them is only a warning.
 */
export async function removeAttempts(
  place: PlanPlace,
  report: Manifest,
  onWarning: RunContext['onWarning'],
): Promise<void> {
  const { folder, storage } = place
  const tryTo = async (what: string, remove: () => Promise<void>): Promise<void> => {
    try {
      await remove()
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error
      onWarning?.(`${what}: not removed, though nothing needs it any more: ${error.message}`)
    }
  }
  for (const name of ['attempts', 'ids', 'excluded']) {
    const path = joinPath(folder, name)
    await tryTo(path, () => storage.removeFolder(path))
  }
  await tryTo('parts of other attempts', () => removeUnlisted(place, report))
}

/** Removes parts in a bucket that neither this manifest lists nor the one before, whose readers may not have finished. */
async function removeUnlisted({ plan: { pipeline }, storage }: PlanPlace, report: Manifest): Promise<void> {
  if (!storage.namesPerRun) return
  const superseded = await storage.listSuperseded(pipeline.report.manifest.path)
  const listed = new Set([...report.files.map(({ path }) => path), ...superseded])
  for (const output of pipeline.outputs.files) {
    for await (const { path } of storage.list(parentOf(toShardPath(output.path, 0)))) {
      if (isShardPathOf(path, output.path) && !listed.has(path)) await storage.remove(path)
    }
  }
}
