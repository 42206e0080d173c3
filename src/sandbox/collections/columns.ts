import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '../data/record-writer.ts'

/** The projection of every record that one filter key or sorting needs. */
interface Column {
  /** The same name means the same values. */
  readonly name: string
  /** False: `project` needs the number alone, which is many times faster. */
  readonly needsRecord: boolean
  readonly project: (record: JsonObject, number: number) => unknown
}

export interface Columns {
  /** The column's value of every record, by record number. */
  load(column: Column): Promise<readonly unknown[]>
}

/** The columns of the same records before some of them changed. */
export interface EarlierColumns {
  readonly columns: Columns
  /** The numbers of the records that have changed or come since, in any order. */
  readonly changed: () => Iterable<number>
}

/** A pass over the records lets others go first after this time. */
const turnMs = 5
/** Requests may name any locale, and each is a column of its own: the oldest goes when there are more. */
const mostColumns = 64

/**
 * Filters and sortings need values of all records, while records are made one by one and never all held. So these values
 * are held, column by column. A column is filled when a request first needs it, in one pass over the records for all
 * columns requested at the same time. It takes some ten bytes a record; a product takes 9 kB. With `earlier` columns the
 * pass is only over the records that have changed.
 */
export function createColumns(
  size: number,
  readRecord: (number: number) => JsonObject,
  earlier?: EarlierColumns,
): Columns {
  const known = new Map<string, Promise<readonly unknown[]>>()
  let waiting: { readonly columns: Column[]; readonly filled: Promise<Map<string, unknown[]>> } | undefined

  function wait(column: Column): Promise<Map<string, unknown[]>> {
    if (waiting === undefined) {
      const columns: Column[] = []
      waiting = { columns, filled: fillLater(columns) }
    }
    waiting.columns.push(column)
    return waiting.filled
  }

  async function fillLater(columns: readonly Column[]): Promise<Map<string, unknown[]>> {
    await nextTurn()
    waiting = undefined
    if (earlier === undefined) return fill(columns, allNumbers(size), readRecord)
    const values = await Promise.all(columns.map((column) => earlier.columns.load(column)))
    return fill(columns, earlier.changed(), readRecord, values)
  }

  return {
    load(column) {
      const values = known.get(column.name) ?? wait(column).then((filled) => filled.get(column.name) ?? [])
      known.set(column.name, values)
      const [oldest] = known.keys()
      if (known.size > mostColumns && oldest !== undefined) known.delete(oldest)
      return values
    },
  }
}

async function fill(
  columns: readonly Column[],
  numbers: Iterable<number>,
  readRecord: (number: number) => JsonObject,
  earlier: readonly (readonly unknown[])[] = [],
) {
  const filled = columns.map((column, at) => ({ column, values: [...(earlier[at] ?? [])] }))
  const needsRecord = columns.some((column) => column.needsRecord)
  let turnEnds = performance.now() + turnMs
  let passed = 0
  for (const number of numbers) {
    const record = needsRecord ? readRecord(number) : {}
    for (const { column, values } of filled) values[number] = column.project(record, number)
    if (++passed % 16 === 0 && performance.now() > turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + turnMs
    }
  }
  return new Map(filled.map(({ column, values }) => [column.name, values]))
}

function* allNumbers(size: number): Generator<number> {
  for (let number = 0; number < size; number++) yield number
}
