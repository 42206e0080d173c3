import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { CatalogueError, interrupted } from '../../errors.ts'
import { type Duckdb, openDuckdb } from '../../loads/files/open-duckdb.ts'
import { createTempFolder } from '../../storage/file-system.ts'
import type { RunContext } from '../../run-context.ts'

export interface Workbench {
  readonly duckdb: Duckdb
  /** Removed in the end, whatever happened. */
  readonly folder: string
}

interface WorkbenchOptions extends Pick<RunContext, 'signal'> {
  /** For messages; default `the profile`. */
  readonly purpose?: string
  /** For DuckDB itself; more goes into the folder. */
  readonly memoryLimitMb?: number
}

/**
 * Works with DuckDB and a folder for what does not fit into its memory, in the system's folder for temporary files. Throws
 * PEER_MISSING without DuckDB before anything is done, INTERRUPTED when the signal aborts, SOURCE_FAILED for `shown` where
 * something can't be read.
 */
export async function withDuckdb<Result>(
  shown: string,
  { signal, purpose = 'the profile', memoryLimitMb = usualMemoryMb }: WorkbenchOptions,
  work: (workbench: Workbench) => Promise<Result>,
): Promise<Result> {
  const folder = await createTempFolder('catalogue-etl-profile-')
  try {
    const threads = Math.min(mostThreads, availableParallelism())
    const tempFolder = join(folder, 'spilled')
    const options = { memoryLimitMb, tempFolder, signal, baselineFiles: [], shown: purpose, threads }
    const duckdb = await openDuckdb(options)
    try {
      return await work({ duckdb, folder })
    } finally {
      duckdb.close()
    }
  } catch (thrown) {
    throw toFailure(thrown, { shown, purpose, signal })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const usualMemoryMb = 768
/** Characters of what DuckDB says of a file, on many lines. */
const mostSaid = 300
/** Each takes memory of its own. */
const mostThreads = 4

interface FailureContext extends Pick<RunContext, 'signal'> {
  readonly shown: string
  readonly purpose: string
}

function toFailure(thrown: unknown, { shown, purpose, signal }: FailureContext): CatalogueError {
  if (signal?.aborted === true) return interrupted(`${shown}: ${purpose}`, { cause: thrown })
  if (thrown instanceof CatalogueError) return thrown
  const said = (thrown instanceof Error ? thrown.message : String(thrown)).replaceAll(/\s+/g, ' ').slice(0, mostSaid)
  const message = `${shown}: expected tables that DuckDB can read, got: ${said}`
  return new CatalogueError('SOURCE_FAILED', message, {
    cause: thrown,
    fix: 'Check that the file is whole, and that no other program writes to it.',
  })
}
