import type { ReadableColumn } from '../../profile/readable-table.ts'

export interface RowKey {
  /** Columns that match rows, the record id first. */
  readonly columns: readonly string[]
  readonly positions: readonly string[]
  /** Columns that order rows with equal keys before matching them; their values come next. */
  readonly order: readonly string[]
  readonly isOfRecords: boolean
}

/**
 * Chooses the key of rows: the id for records; for list elements the record id with the element's id, or else its
 * position. Nested lists add the position in each outer list.
 */
export function chooseKey(columns: readonly ReadableColumn[], places: ReadonlyMap<string, string>): RowKey {
  const from = (place: string): string[] =>
    columns.filter(({ name }) => places.get(name) === place).map(({ name }) => name)
  const [record = columns[0]?.name ?? '', own] = from('id')
  const positions = from('position')
  // In a history the versions of a record follow one another.
  const starts = columns.filter(({ name }) => name === historyStart && places.get(name) === '').map(({ name }) => name)
  const order = [...starts, ...positions]
  if (positions.length === 0) return { columns: [record], positions, order, isOfRecords: true }
  const around = positions.slice(0, -1)
  const last = own ?? positions.at(-1) ?? record
  return { columns: [record, ...around, last], positions, order, isOfRecords: false }
}

/** The start of a row's validity in a history. */
const historyStart = 'valid_from'
