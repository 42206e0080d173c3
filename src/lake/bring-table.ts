import { join } from 'node:path'
import type { Duckdb } from '../loads/files/open-duckdb.ts'
import { formatMixedFiles } from '../loads/files/sql-text.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { loadFormat } from './load-format.ts'
import { type LakeOutputPlan, tableFolder } from './lake-plan.ts'

export interface BringOptions {
  readonly duckdb: Duckdb
  readonly storage: FileStorage
  /** For copies of objects. */
  readonly folder: string
}

/** The newest version of a table, as SQL that may follow FROM; null if there is none, or it has no rows. */
export async function bringTable(
  plan: Pick<LakeOutputPlan, 'target' | 'pipeline'>,
  table: string,
  { duckdb, storage, folder }: BringOptions,
): Promise<string | null> {
  const at = tableFolder(plan, table)
  let copies = 0
  const toLocal = (path: string) => storage.toLocal(path, join(folder, `${table}-${++copies}.parquet`))
  const format = await loadFormat(plan)
  const log = await format.readLog(
    { format, storage, duckdb, folder, toLocal },
    { folder: at, pipeline: plan.pipeline, version: null },
  )
  if (log === null) return null
  format.checkTable(at, log.newest, plan)
  const paths: string[] = []
  for (const file of log.newest.files.values()) paths.push(await toLocal(format.locate(at, file)))
  return paths.length === 0 ? null : formatMixedFiles(paths)
}
