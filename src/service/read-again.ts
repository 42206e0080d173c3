import { CatalogueError } from '../errors.ts'
import type { ReadLog } from './read-log.ts'
import type { ServiceClient } from '../http/service-client.ts'

/** Whether an error says that the answer was not whole, which may be otherwise the next time. */
export function isWorthRepeating(error: unknown): error is CatalogueError {
  return error instanceof CatalogueError && repeatable.has(error.code)
}

const repeatable = new Set<CatalogueError['code']>(['SOURCE_FAILED', 'SOURCE_INCOMPLETE', 'SOURCE_ERROR_LINE'])

/**
 * The result of `work`, which is done again while its answer is cut off or no JSON. After the last try SERVICE_FAILED,
 * so that nobody takes it for worth repeating once more.
 */
export async function readAgain<Result>(
  { client, notes, signal }: { readonly client: ServiceClient; readonly notes: ReadLog; readonly signal: AbortSignal },
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
      notes.repeated(error.message)
      await client.backOff(tries, signal, { reason: error.message })
    }
  }
}
