import { availableParallelism } from 'node:os'
import { CatalogueError } from '../../errors.ts'
import type { RequiredContext } from '../../run-context.ts'

export interface WorkerChoice extends RequiredContext<'env'> {
  readonly asked?: number | undefined
  /** Number of concurrent runs. They share the cores, and one thread that reads and writes for all of them. */
  readonly parallel?: number | undefined
  readonly cores?: number
}

/**
 * The number of threads that encode beside the one that reads and writes: `asked`, else CATALOGUE_WORKERS, else by the
 * number of cores. The thread that reads and writes also encodes while the others are busy; native code has one more
 * thread instead. Throws USAGE for a number out of range.
 */
export function chooseWorkers({ asked, env, parallel = 1, cores = availableParallelism() }: WorkerChoice): number {
  if (asked !== undefined) return checkWorkers('workers', asked, asked)
  const text = env[variable] ?? ''
  if (text !== '') return checkWorkers(variable, /^\d+$/.test(text) ? Number(text) : Number.NaN, JSON.stringify(text))
  return Math.min(mostWorkersUnasked, Math.floor((cores - 1) / parallel))
}

/** For systems that report more cores than the process may use, as containers do. */
const variable = 'CATALOGUE_WORKERS'

function checkWorkers(name: string, workers: number, got: unknown): number {
  if (Number.isInteger(workers) && workers >= 0 && workers <= mostWorkers) return workers
  throw new CatalogueError('USAGE', `${name}: expected a whole number from 0 to ${mostWorkers}, got ${String(got)}`)
}

export const mostWorkers = 64
const mostWorkersUnasked = 8
