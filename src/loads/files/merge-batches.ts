interface Batch {
  readonly length: number
}

/** The rows of a batch from `from` to before `to`. */
export interface SliceOf<SomeBatch> {
  readonly batch: SomeBatch
  readonly from: number
  readonly to: number
}

/** Below 0 if the row at `at` precedes the other's row at `otherAt`. */
export type CompareRows<SomeBatch> = (one: SomeBatch, at: number, other: SomeBatch, otherAt: number) => number

/**
 * Merges two ordered sides into one order, as slices of their batches. Batches must not be empty. Ending this generator
 * ends both sides.
 */
export async function* mergeBatches<SomeBatch extends Batch>(
  one: AsyncGenerator<SomeBatch>,
  other: AsyncGenerator<SomeBatch>,
  compare: CompareRows<SomeBatch>,
): AsyncGenerator<SliceOf<SomeBatch>> {
  const left = new OrderedSide(one, compare)
  const right = new OrderedSide(other, compare)
  try {
    await Promise.all([left.fill(), right.fill()])
    for (;;) {
      const [first, second] = left.precedes(right) ? [left, right] : [right, left]
      if (first.isAtEnd) return
      yield first.takeBefore(second)
      await first.fill()
    }
  } finally {
    await Promise.all([one.return(undefined), other.return(undefined)])
  }
}

class OrderedSide<SomeBatch extends Batch> {
  readonly #batches: AsyncGenerator<SomeBatch>
  readonly #compare: CompareRows<SomeBatch>
  #batch: SomeBatch | null = null
  #at = 0

  constructor(batches: AsyncGenerator<SomeBatch>, compare: CompareRows<SomeBatch>) {
    this.#batches = batches
    this.#compare = compare
  }

  get isAtEnd(): boolean {
    return this.#batch === null || this.#at === this.#batch.length
  }

  async fill(): Promise<void> {
    if (!this.isAtEnd) return
    const last = this.#batch
    const { value, done } = await this.#batches.next()
    if (done === true) return
    this.#batch = value
    this.#at = 0
    if (last !== null && this.#compare(last, last.length - 1, value, 0) > 0)
      throw new Error('merge: the rows came out of order')
  }

  /** Compares the next rows; a side at its end comes last. */
  precedes(other: OrderedSide<SomeBatch>, at = this.#at): boolean {
    if (this.#batch === null || at === this.#batch.length) return false
    return other.#batch === null || other.isAtEnd || this.#compare(this.#batch, at, other.#batch, other.#at) < 0
  }

  /** Takes the next row and the rows after it in its batch that precede the other's next row. */
  takeBefore(other: OrderedSide<SomeBatch>): SliceOf<SomeBatch> {
    const batch = this.#batch as SomeBatch
    const from = this.#at
    if (this.precedes(other, batch.length - 1)) this.#at = batch.length
    else
      do this.#at += 1
      while (this.precedes(other))
    return { batch, from, to: this.#at }
  }
}
