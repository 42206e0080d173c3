import type { Cell, Row } from '../../records/flatten/column.ts'
import { compareText } from './compare-text.ts'

/**
 * The rows of both, each in order, in one order: by the columns at `order`, which hold text or numbers. Where one of
 * them comes whole before the other's next row, its batch is given on as it came. What it begins, it ends.
 */
export async function* mergeRows(
  one: AsyncGenerator<readonly Row[]>,
  other: AsyncGenerator<readonly Row[]>,
  order: readonly number[],
): AsyncGenerator<readonly Row[]> {
  const left = new OrderedRows(one, order)
  const right = new OrderedRows(other, order)
  try {
    await Promise.all([left.fill(), right.fill()])
    for (;;) {
      const [first, second] = precedes(left.head, right.head, order) ? [left, right] : [right, left]
      if (first.head === undefined) return
      yield first.takeBefore(second.head)
      await first.fill()
    }
  } finally {
    await Promise.all([one.return(undefined), other.return(undefined)])
  }
}

/** What comes of one side, with the place up to which it is taken. */
class OrderedRows {
  readonly #batches: AsyncGenerator<readonly Row[]>
  readonly #order: readonly number[]
  #batch: readonly Row[] = []
  #at = 0

  constructor(batches: AsyncGenerator<readonly Row[]>, order: readonly number[]) {
    this.#batches = batches
    this.#order = order
  }

  /** Undefined at the end. */
  get head(): Row | undefined {
    return this.#batch[this.#at]
  }

  /** Makes sure of a head, unless this is the end. */
  async fill(): Promise<void> {
    while (this.#at === this.#batch.length) {
      const last = this.#batch.at(-1)
      const { value, done } = await this.#batches.next()
      if (done === true) return
      this.#batch = value
      this.#at = 0
      if (compareRows(last, value[0], this.#order) > 0) throw new Error('merge: the rows came out of order')
    }
  }

  /** Of the batch, the head and all that comes before that row of the other side. */
  takeBefore(end: Row | undefined): readonly Row[] {
    const start = this.#at
    if (precedes(this.#batch.at(-1), end, this.#order)) this.#at = this.#batch.length
    else
      do this.#at += 1
      while (precedes(this.head, end, this.#order))
    return start === 0 && this.#at === this.#batch.length ? this.#batch : this.#batch.slice(start, this.#at)
  }
}

/** What is not there comes last. */
function precedes(one: Row | undefined, other: Row | undefined, order: readonly number[]): boolean {
  if (one === undefined || other === undefined) return one !== undefined
  return compareRows(one, other, order) < 0
}

function compareRows(one: Row | undefined, other: Row | undefined, order: readonly number[]): number {
  if (one === undefined || other === undefined) return 0
  for (const index of order) {
    const compared = compareCells(one[index] as Cell, other[index] as Cell)
    if (compared !== 0) return compared
  }
  return 0
}

function compareCells(one: Cell, other: Cell): number {
  return typeof one === 'string' ? compareText(one, other as string) : (one as number) - (other as number)
}
