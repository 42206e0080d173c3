import type { RequiredContext } from '../../run-context.ts'

export interface AheadOptions extends RequiredContext<'signal'> {
  /** Most items in work or waiting to be taken. May change. */
  readonly ahead: number
}

/**
 * Works on several items in parallel and yields results in the order of the items. Failures of reading or work are
 * thrown in their turn, after earlier results. Aborts reading when `signal` aborts or the consumer stops.
 */
export async function* mapInOrder<Item, Result>(
  read: (signal: AbortSignal) => AsyncGenerator<Item>,
  work: (item: Item) => Promise<Result>,
  options: AheadOptions,
): AsyncGenerator<Result> {
  const { signal } = options
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const items = read(stop.signal)
  const results: Promise<Result>[] = []
  let reading: Promise<void> | null = null
  let isAtEnd = false

  async function readOne(): Promise<void> {
    try {
      const item = await items.next()
      if (item.done === true) isAtEnd = true
      else results.push(work(item.value))
    } catch (error) {
      isAtEnd = true
      results.push(Promise.reject(error))
    }
    // Failures are thrown in their turn, so they must not count as unhandled before.
    results.at(-1)?.catch(() => undefined)
    reading = null
  }

  try {
    for (;;) {
      if (!isAtEnd && results.length < options.ahead) reading ??= readOne()
      const [oldest] = results
      if (oldest === undefined && reading === null) return
      if (oldest === undefined || (reading !== null && (await endsFirst(reading, oldest)))) {
        await reading
        continue
      }
      const result = await oldest
      void results.shift()
      yield result
    }
  } finally {
    signal.removeEventListener('abort', abort)
    abort()
    await items.return(undefined)
  }
}

async function endsFirst(one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  return Promise.race([endsAs(true, one), endsAs(false, other)])
}

async function endsAs<Value>(value: Value, promise: Promise<unknown>): Promise<Value> {
  await promise.catch(() => undefined)
  return value
}
