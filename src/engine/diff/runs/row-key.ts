import type { ReadableColumn } from '../../profile/readable-table.ts'

export interface RowKey {
  /** The columns by which rows are matched, the id of the record first. */
  readonly columns: readonly string[]
  /** Columns that number the elements of a record. */
  readonly positions: readonly string[]
  /** Columns in whose order rows with the same key are matched, before that of their values. */
  readonly order: readonly string[]
  /** True for a table with a row a record. */
  readonly isOfRecords: boolean
}

/**
 * What rows of a run are matched by: of records their id; of elements of a list the id of the record with their own, where
 * they have one, else with their position. Nested lists have a position for each list around them.
 */
export function chooseKey(columns: readonly ReadableColumn[], places: ReadonlyMap<string, string>): RowKey {
  const from = (place: string): string[] =>
    columns.filter(({ name }) => places.get(name) === place).map(({ name }) => name)
  const [record = columns[0]?.name ?? '', own] = from('id')
  const positions = from('position')
  // Versions of a record come one after the other.
  const starts = columns.filter(({ name }) => name === historyStart && places.get(name) === '').map(({ name }) => name)
  const order = [...starts, ...positions]
  if (positions.length === 0) return { columns: [record], positions, order, isOfRecords: true }
  const around = positions.slice(0, -1)
  const last = own ?? positions.at(-1) ?? record
  return { columns: [record, ...around, last], positions, order, isOfRecords: false }
}

/** The column of a history that has the time from which a row counts. */
const historyStart = 'valid_from'
