import { ReadableStream } from 'node:stream/web'
import { aFunction, aSignal, type OptionKinds, requireArgument, requireOptions, wholeNumber } from '../check-options.ts'
import { interrupted } from '../errors.ts'

export interface ForEachOptions {
  /** How many calls may be under way at once. Default 1. */
  readonly concurrency?: number | undefined
  /** Ends the reading with INTERRUPTED once it aborts, after the calls that are under way. */
  readonly signal?: AbortSignal | undefined
}

type Open<Row> = (signal: AbortSignal) => AsyncIterableIterator<Row>

/**
 * Rows to be read: each iteration opens the source, takes no more than is asked for, and closes it at its end, however it
 * ends. An error that a function of the caller throws ends the reading and is passed on.
 */
export class Rows<Row> implements AsyncIterable<Row> {
  readonly #open: Open<Row>

  constructor(open: Open<Row>) {
    this.#open = open
  }

  [Symbol.asyncIterator](): AsyncIterator<Row, void, undefined> {
    const stop = new AbortController()
    const rows = this.#open(stop.signal)
    return {
      next: () => rows.next() as Promise<IteratorResult<Row, void>>,
      async return() {
        // Ends a read that is under way, behind which the end would wait.
        stop.abort()
        await rows.return?.()
        return { done: true, value: undefined }
      },
    }
  }

  /** Lists of `size` rows, the last one of the rest. */
  batches(size: number): Rows<Row[]> {
    requireArgument('batches', 'size', size, wholeNumber(1))
    return this.#then(async function* (rows) {
      let batch: Row[] = []
      for await (const row of rows) {
        batch.push(row)
        if (batch.length < size) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    })
  }

  /** What `change` gives, or resolves to, for each row. */
  map<To>(change: (row: Row) => To | Promise<To>): Rows<To> {
    requireArgument('map', 'change', change, aFunction)
    return this.#then(async function* (rows) {
      for await (const row of rows) yield change(row)
    })
  }

  /** The rows that `test` is true for. */
  filter<Kept extends Row>(test: (row: Row) => row is Kept): Rows<Kept>
  filter(test: (row: Row) => boolean | Promise<boolean>): Rows<Row>
  filter(test: (row: Row) => boolean | Promise<boolean>): Rows<Row> {
    requireArgument('filter', 'test', test, aFunction)
    return this.#then(async function* (rows) {
      for await (const row of rows) if (await test(row)) yield row
    })
  }

  /** Calls `take` with each row and waits for its promise. The first error ends the reading. */
  async forEach(take: (row: Row) => unknown, options: ForEachOptions = {}): Promise<void> {
    requireArgument('forEach', 'take', take, aFunction)
    requireOptions('forEach', options, forEachOptions)
    const { concurrency = 1, signal } = options
    const stop = new AbortController()
    const ends = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal])
    const underWay = new Set<Promise<void>>()
    let failure: { readonly error: unknown } | null = null
    const fail = (error: unknown): void => {
      failure ??= { error }
      stop.abort()
    }
    const call = async (row: Row): Promise<void> => {
      await take(row)
    }
    try {
      if (ends.aborted) throw interrupted('the reading')
      for await (const row of this.#open(ends)) {
        const taken: Promise<void> = call(row)
          .catch(fail)
          .finally(() => underWay.delete(taken))
        underWay.add(taken)
        if (underWay.size >= concurrency) await Promise.race(underWay)
        if (ends.aborted) throw interrupted('the reading')
      }
    } catch (error) {
      fail(error)
    }
    await Promise.all(underWay)
    throwIfAny(failure)
  }

  /** All rows in memory. */
  async toArray(): Promise<Row[]> {
    const rows: Row[] = []
    for await (const row of this) rows.push(row)
    return rows
  }

  /** A web stream that reads as it is asked; cancelling it closes the source. For a Node stream there is `Readable.from(rows)`. */
  toWeb(): ReadableStream<Row> {
    const rows = this[Symbol.asyncIterator]()
    return new ReadableStream<Row>(
      {
        async pull(controller) {
          const next = await rows.next()
          if (next.done === true) controller.close()
          else controller.enqueue(next.value)
        },
        async cancel() {
          await rows.return?.()
        },
      },
      { highWaterMark: 0 },
    )
  }

  #then<To>(step: (rows: AsyncIterable<Row>) => AsyncGenerator<To>): Rows<To> {
    return new Rows((signal) => step(this.#open(signal)))
  }
}

const forEachOptions: OptionKinds<ForEachOptions> = { concurrency: wholeNumber(1), signal: aSignal }

function throwIfAny(failure: { readonly error: unknown } | null): void {
  if (failure !== null) throw failure.error
}
