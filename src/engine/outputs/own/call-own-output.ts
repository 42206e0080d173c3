import { CatalogueError, messageOf } from '../../../errors.ts'
import type { OwnOutput } from '../../../records/own-output.ts'
import type { RunContext } from '../../../run-context.ts'

export interface OwnContext extends Pick<RunContext, 'onWarning'> {
  readonly signal: AbortSignal
}

type OwnCall = 'open' | keyof OwnOutput

/**
 * Calls code of the config, and waits for it: with a warning once that takes a minute, and for `open` and `write` no
 * longer than a few seconds after an interruption, nor for an `abort`. `shown` names output and table.
 */
export async function callOwnOutput<Result>(
  shown: string,
  what: OwnCall,
  { signal, onWarning }: OwnContext,
  own: () => Result | Promise<Result>,
): Promise<Result> {
  const warn = () => onWarning?.(`${shown}: ${what} has not ended for a minute`)
  // It also keeps the process from ending without a word, if nothing else does.
  const slow = setInterval(warn, minuteMs)
  try {
    return await endingWith(what === 'abort' ? AbortSignal.abort() : endsAtOnce(what) ? signal : null, own)
  } catch (thrown) {
    if (signal.aborted && endsAtOnce(what)) throw thrown
    const message = `${shown}: expected ${what} to end well, got an error: ${messageOf(thrown)}`
    throw new CatalogueError('OUTPUT_FAILED', message, {
      cause: thrown,
      title: 'An output of the config failed',
      fix: 'Correct the function, or what it writes to, and run again.',
    })
  } finally {
    clearInterval(slow)
  }
}

/** Whether an interruption of the run ends the call. What a failed commit leaves has to be said in any case. */
function endsAtOnce(what: OwnCall): boolean {
  return what === 'open' || what === 'write'
}

const minuteMs = 60_000
const graceMs = 5000

/** What the call gives, or an error if it has not ended some seconds after the signal. Null: it is awaited in any case. */
function endingWith<Result>(signal: AbortSignal | null, own: () => Result | Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const begin = () => {
      timer = setTimeout(() => reject(new Error(`it has not ended after ${graceMs / 1000} s`)), graceMs)
    }
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', begin)
    }
    if (signal?.aborted === true) begin()
    else signal?.addEventListener('abort', begin, { once: true })
    new Promise<Result>((take) => take(own())).finally(end).then(resolve, reject)
  })
}
