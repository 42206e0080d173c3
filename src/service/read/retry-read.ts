import { CatalogueError } from '../../errors.ts'
import type { ServiceClient } from '../http/service-client.ts'
import type { RequiredContext } from '../../run-context.ts'
import { WrongShape } from '../../sources/wrong-shape.ts'
import type { ReadLog } from './read-log.ts'

export interface ReadContext extends RequiredContext<'signal'> {
  /** The name in messages: the endpoint, and which of its requests. */
  readonly name: string
  readonly client: ServiceClient
  readonly log: ReadLog
  readonly maxLineBytes: number
}

/**
 * Repeats `work` while its answer is cut off or no JSON. After the last try it throws SERVICE_FAILED, which no caller
 * repeats.
 */
export async function retryRead<Result>(
  { client, log, signal }: Pick<ReadContext, 'client' | 'log' | 'signal'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthRepeating(error) || signal.aborted) throw error
      if (tries > client.retries) {
        throw new CatalogueError('SERVICE_FAILED', `${error.message} (${tries} tries)`, { cause: error })
      }
      log.repeated(error.message)
      await client.backOff(tries, signal, { reason: error.message })
    }
  }
}

/** True for an answer that was not whole, which may be whole the next time; false for a whole one of another shape. */
export function isWorthRepeating(error: unknown): error is CatalogueError {
  return error instanceof CatalogueError && repeatable.has(error.code) && !(error.cause instanceof WrongShape)
}

const repeatable = new Set<CatalogueError['code']>(['SOURCE_FAILED', 'SOURCE_INCOMPLETE', 'SOURCE_ERROR_LINE'])
