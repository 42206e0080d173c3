import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { CatalogueError } from '../errors.ts'
import { joinPath } from '../storage/paths.ts'
import { refusedWith } from '../storage/s3/storage-operation.ts'
import { parseStagedDestination } from '../storage/staging-names.ts'
import { lakeStateName } from '../plan/outputs/database-plan.ts'
import { type CheckedLake, checkLake } from './check-lake.ts'
import type { LakeSession } from './lake-format.ts'
import { describeState, feedFolder, type LakeOutputPlan, listLakeColumns } from './lake-plan.ts'
import { stateColumns } from './plan-records.ts'

/** As `checkLake`; makes tables that a catalog does not have yet, without rows. */
export async function prepareLake(
  session: LakeSession,
  plan: LakeOutputPlan,
  configHash: string,
  onWarning?: (message: string) => void,
): Promise<CheckedLake> {
  const lake = await checkLake(session, plan, configHash, onWarning)
  const tables = [
    ...plan.tables.map((table, at) => {
      const { description = '', columns = {} } = plan.meanings?.[at] ?? {}
      const descriptions = { table: description, columns }
      return { table: table.name, columns: listLakeColumns(plan, table), descriptions, checked: lake.tables[at] }
    }),
    {
      table: lakeStateName(plan.pipeline),
      columns: stateColumns,
      descriptions: describeState(plan),
      checked: lake.state,
    },
  ]
  const missing = tables.filter(({ checked }) => checked?.log === null)
  if (session.format.create === undefined || missing.length === 0) return lake
  for (const { checked: _, ...table } of missing) await session.format.create({ ...table, pipeline: plan.pipeline })
  return checkLake(session, plan, configHash, onWarning)
}

/** Removes staging files of killed runs from the folders of tables. */
export async function clearStaging(
  { format, storage }: LakeSession,
  folders: readonly string[],
  token = '',
): Promise<void> {
  const found: string[] = []
  for (const folder of folders.flatMap((each) => [format.dataFolder(each), format.logFolder(each), feedFolder(each)])) {
    for await (const { path } of storage.list(folder, () => false)) {
      const destination = parseStagedDestination(basename(path))
      if (destination !== undefined) found.push(joinPath(folder, destination))
    }
  }
  await storage.clearStale([...new Set(found)], new Set([token]))
}

/** Throws OUTPUT_REFUSED for a storage where a commit could replace another one. */
export async function probe({ format, storage }: LakeSession, folder: string): Promise<void> {
  const path = joinPath(format.logFolder(folder), `.probe-${randomUUID()}`)
  const bytes = Buffer.from('Whether this storage writes a file only if there is none.\n')
  try {
    await storage.create(path, bytes)
    if (!(await storage.create(path, bytes))) return
  } catch (thrown) {
    if (!refusedWith(thrown, 'NotImplemented')) throw thrown
  } finally {
    await storage.remove(path)
  }
  const message = `${folder}: expected a storage that writes an object only if there is none (If-None-Match), by which one of several writers comes first, got one that replaces it`
  throw new CatalogueError('OUTPUT_REFUSED', message, {
    fix: 'Use a storage with conditional writes, as Amazon S3, MinIO and Cloudflare R2 have them, or a disk.',
  })
}
