import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '../data/record-writer.ts'

interface Column {
  /** Columns with the same name have the same values. */
  readonly name: string
  /** False if `project` needs only the number, which is many times faster. */
  readonly needsRecord: boolean
  readonly project: (record: JsonObject, number: number) => unknown
}

export interface Columns {
  /** Loads the column's values of all records, by record number. */
  load(column: Column): Promise<readonly unknown[]>
}

export interface EarlierColumns {
  readonly columns: Columns
  /** Numbers of records that have changed or been added since, in any order. */
  readonly changed: () => Iterable<number>
}

/** Time after which a pass over the records yields to other tasks. */
const turnMs = 5
/** Each locale in a request is a column of its own; beyond this number the oldest is dropped. */
const mostColumns = 64

/**
 * Filters and sortings need values of all records, but records are generated one by one and not kept. So their values
 * are kept in columns. A column is filled when a request first needs it, in one pass over the records for all columns
 * requested at the same time. It takes some ten bytes a record, where a product takes 9 kB. With `earlier` columns the
 * pass covers only changed records.
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
