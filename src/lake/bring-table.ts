import { join } from 'node:path'
import type { Duckdb } from '../loads/files/open-duckdb.ts'
import { formatMixedFiles } from '../loads/files/sql-text.ts'
import { type ConnectOptions, connectLake } from './connect-lake.ts'
import type { LakeOutputPlan } from './lake-plan.ts'

export interface BringOptions extends ConnectOptions {
  readonly duckdb: Duckdb
  /** For copies of objects. */
  readonly folder: string
}

/** The newest version of a table, as SQL that may follow FROM; null if there is none, or it has no rows. */
export async function bringTable(
  plan: Pick<LakeOutputPlan, 'target' | 'pipeline'>,
  table: string,
  { duckdb, folder, ...options }: BringOptions,
): Promise<string | null> {
  const { format, storage } = await connectLake(plan, options)
  try {
    const at = await format.findFolder(plan, table)
    let copies = 0
    const toLocal = (path: string) => storage.toLocal(path, join(folder, `${table}-${++copies}.parquet`))
    const log = await format.readLog(
      { format, storage, duckdb, folder, toLocal },
      { folder: at, pipeline: plan.pipeline, version: null },
    )
    if (log === null) return null
    format.checkTable(at, log.newest, plan)
    const paths: string[] = []
    for (const file of log.newest.files.values()) paths.push(await toLocal(format.locate(at, file)))
    return paths.length === 0 ? null : formatMixedFiles(paths)
  } finally {
    await storage.close()
  }
}
