import { join } from 'node:path'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { type ConnectOptions, connectLake } from '../connect-lake.ts'
import type { LakeSession } from '../lake-format.ts'
import type { LakePlace } from '../lake-plan.ts'

export interface ReadOptions extends ConnectOptions {
  readonly duckdb: Duckdb
  /** For copies of objects. */
  readonly folder: string
}

/** Connects to a lake for the duration of the work, which only reads. Throws as `connectLake`. */
export async function withReading<Result>(
  target: LakePlace,
  table: string,
  { duckdb, folder, ...options }: ReadOptions,
  work: (session: LakeSession) => Promise<Result>,
): Promise<Result> {
  const { format, storage } = await connectLake({ target }, options)
  try {
    let copies = 0
    const toLocal = (path: string) => storage.toLocal(path, join(folder, `${table}-${++copies}.parquet`))
    return await work({ format, storage, duckdb, folder, toLocal })
  } finally {
    await storage.close()
  }
}
