import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { CatalogueError, interrupted, messageOf } from '../../errors.ts'
import { type Duckdb, openDuckdb } from '../../loads/files/open-duckdb.ts'
import { createTempFolder } from '../../storage/file-system.ts'
import type { RunContext } from '../../run-context.ts'

export interface Workbench {
  readonly duckdb: Duckdb
  readonly folder: string
}

interface WorkbenchOptions extends Pick<RunContext, 'signal'> {
  readonly purpose?: string
  readonly memoryLimitMb?: number
  /** Default: as many as help. With one, rows come in the same order each time. */
  readonly threads?: number
}

/**
 * Opens DuckDB with a temporary folder for the duration of the work. Throws PEER_MISSING without DuckDB before doing
 * anything, INTERRUPTED when the signal aborts, and SOURCE_FAILED for `shown` if something can't be read.
 */
export async function withDuckdb<Result>(
  shown: string,
  {
    signal,
    purpose = 'the profile',
    memoryLimitMb = usualMemoryMb,
    threads = Math.min(mostThreads, availableParallelism()),
  }: WorkbenchOptions,
  work: (workbench: Workbench) => Promise<Result>,
): Promise<Result> {
  const folder = await createTempFolder('catalogue-etl-profile-')
  try {
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
const mostSaid = 300
/** Each thread needs memory of its own. */
const mostThreads = 4

interface FailureContext extends Pick<RunContext, 'signal'> {
  readonly shown: string
  readonly purpose: string
}

function toFailure(thrown: unknown, { shown, purpose, signal }: FailureContext): CatalogueError {
  if (signal?.aborted === true) return interrupted(`${shown}: ${purpose}`, { cause: thrown })
  if (thrown instanceof CatalogueError) return thrown
  const said = messageOf(thrown).replaceAll(/\s+/g, ' ').slice(0, mostSaid)
  const message = `${shown}: expected tables that DuckDB can read, got: ${said}`
  return new CatalogueError('SOURCE_FAILED', message, {
    cause: thrown,
    fix: 'Check that the file is whole, and that no other program writes to it.',
  })
}
