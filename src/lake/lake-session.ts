import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDuckdb } from '../loads/files/open-duckdb.ts'
import type { RunContext } from '../run-context.ts'
import { createTempFolder } from '../storage/file-system.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { ObjectSettings } from '../storage/s3/object-settings.ts'
import type { DatabaseOptions } from '../loads/databases/database-output.ts'
import { connectLake } from './connect-lake.ts'
import type { LakeSession } from './lake-format.ts'
import type { LakeOutputPlan } from './lake-plan.ts'

export interface LakeOptions extends DatabaseOptions, Pick<RunContext, 'env' | 'token' | 'now'> {
  /** What new objects in a bucket get. */
  readonly settings?: ObjectSettings | undefined
  /** For copies of objects and what does not fit into memory; it is removed at the end. Default: one for temporary files. */
  readonly workFolder?: string | undefined
  /** Default: that of the path. It is closed with the session. */
  readonly storage?: FileStorage | undefined
}

export interface OpenedLakeSession extends LakeSession {
  close(): Promise<void>
}

/** Throws PEER_MISSING without DuckDB, or the AWS SDK for a bucket. */
export async function openLakeSession(
  plan: Pick<LakeOutputPlan, 'target' | 'pipeline'>,
  options: LakeOptions,
): Promise<OpenedLakeSession> {
  const { signal } = options
  const { format, storage } = await connectLake(plan, options)
  const folder = options.workFolder ?? (await createTempFolder('catalogue-etl-lake-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const copies = new Map<string, Promise<string>>()
  /** The files that a failure of DuckDB may be about. */
  const localFiles: string[] = []
  try {
    const duckdb = await openDuckdb({
      memoryLimitMb: 256,
      tempFolder: join(folder, 'spilled'),
      signal,
      baselineFiles: localFiles,
      shown: `writing ${plan.target.path}`,
    })
    return {
      format,
      storage,
      duckdb,
      folder,
      async toLocal(file) {
        const copy = copies.get(file) ?? storage.toLocal(file, join(folder, `${copies.size + 1}.parquet`))
        copies.set(file, copy)
        const local = await copy
        if (!localFiles.includes(local)) localFiles.push(local)
        return local
      },
      async close() {
        duckdb.close()
        await storage.close()
        await remove()
      },
    }
  } catch (thrown) {
    await storage.close()
    await remove()
    throw thrown
  }
}
