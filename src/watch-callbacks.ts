import { CatalogueError } from './errors.ts'
import type { RunContext } from './run-context.ts'

type Callback = (...args: never[]) => unknown

/**
 * Watches the callbacks of a caller, whose names begin with `on`. What one throws is thrown on; a promise that one
 * rejects aborts `signal`, which also follows the signal of the caller.
 */
export class CallbackWatch {
  /** What the first failing callback threw or rejected with. */
  failure: { readonly error: unknown } | null = null
  readonly #given: AbortSignal | undefined
  readonly #stop = new AbortController()
  readonly #pending = new Set<Promise<void>>()
  readonly #aborted: Promise<void>

  constructor(signal: AbortSignal | undefined) {
    this.#given = signal
    this.#aborted = new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }))
    if (signal?.aborted) this.#forward()
    else signal?.addEventListener('abort', this.#forward, { once: true })
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** The options with watched callbacks. */
  wrap<Options extends object>(options: Options): Options {
    const wrapped = Object.entries(options).map(([name, option]) => [
      name,
      isCallback(name, option) ? this.#watch(option) : option,
    ])
    return Object.fromEntries(wrapped) as Options
  }

  /** Waits for the promises of callbacks until all have ended, one has failed or the signal aborts. */
  async settle(): Promise<void> {
    while (this.#pending.size > 0 && !this.signal.aborted)
      await Promise.race([Promise.all(this.#pending), this.#aborted])
    if (this.failure !== null) throw this.failure.error
    this.signal.throwIfAborted()
  }

  /** Follows the signal of the caller no longer. */
  close(): void {
    this.#given?.removeEventListener('abort', this.#forward)
  }

  readonly #forward = (): void => this.#stop.abort(this.#given?.reason)

  #watch(callback: Callback): Callback {
    return (...args) => {
      try {
        const given = callback(...args)
        if (isThenable(given)) this.#await(Promise.resolve(given))
      } catch (error) {
        this.failure ??= { error }
        throw error
      }
    }
  }

  #await(given: Promise<unknown>): void {
    const ended = given.then(
      () => void this.#pending.delete(ended),
      (error: unknown) => {
        this.failure ??= { error }
        this.#pending.delete(ended)
        this.#stop.abort(error)
      },
    )
    this.#pending.add(ended)
  }
}

/**
 * Does work with the callbacks of a caller. What a callback throws or rejects with ends the work, and is thrown as it is;
 * before publishing, the work calls `settle`. An interruption has the reason of the caller's signal as its cause.
 */
export async function watchCallbacks<Options extends Pick<RunContext, 'signal'>, Result>(
  options: Options,
  work: (watched: Options & Pick<RunContext, 'settle'>) => Promise<Result>,
): Promise<Result> {
  const watch = new CallbackWatch(options.signal)
  try {
    const result = await work({ ...watch.wrap(options), signal: watch.signal, settle: () => watch.settle() })
    if (watch.failure !== null) throw watch.failure.error
    return result
  } catch (error) {
    throw watch.failure === null ? withReason(error, options.signal) : watch.failure.error
  } finally {
    watch.close()
  }
}

function withReason(error: unknown, signal: AbortSignal | undefined): unknown {
  const isInterruption = error instanceof CatalogueError && error.code === 'INTERRUPTED' && signal?.aborted === true
  return isInterruption ? error.withCause(signal.reason) : error
}

function isCallback(name: string, option: unknown): option is Callback {
  return typeof option === 'function' && name.startsWith('on')
}

function isThenable(given: unknown): given is PromiseLike<unknown> {
  return typeof (given as { then?: unknown } | null | undefined)?.then === 'function'
}
