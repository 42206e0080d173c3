import type { Column } from '../../../../src/records/flatten/column.ts'

/** An engine that runs what `ddl` prints, with a database that nothing else uses. */
export interface Warehouse {
  /** Runs statements until one fails. Rejects with what the engine says. */
  run(script: string): Promise<void>
  /** Runs statements, also those after one that fails. Resolves with what the engine says of the first that does; null if none does. */
  runAll(script: string): Promise<string | null>
  /** Rows of a query, every value as text. */
  query(sql: string): Promise<(string | null)[][]>
  quoteName(name: string): string
  /** An expression with the text of a column: of a time the milliseconds since 1970, of a list JSON. */
  formatText(name: string, column: Column): string
  stop(): Promise<void>
}

/** Rows of a table in order, each cell exactly as the column has it in every warehouse. */
export async function readCells(warehouse: Warehouse, table: string, columns: readonly Column[]): Promise<string[]> {
  const texts = columns.map((column) => warehouse.formatText(warehouse.quoteName(column.name), column))
  const rows = await warehouse.query(`SELECT ${texts.join(', ')} FROM ${warehouse.quoteName(table)}`)
  return rows.map((row) => JSON.stringify(row.map((text, at) => toCell(text, columns[at] as Column)))).toSorted()
}

function toCell(text: string | null, { type, list }: Column): unknown {
  if (text === null) return null
  if (list) return JSON.parse(text) as unknown
  if (type.kind === 'decimal') return text.includes('.') ? text.replace(/\.?0+$/, '') : text
  if (type.kind === 'float' || type.kind === 'timestamp') return Number(text)
  return type.kind === 'boolean' ? ['true', '1', 'True'].includes(text) : text
}

/** Rows as ClickHouse has them, whose arrays are never NULL. */
export function withEmptyLists(columns: readonly Column[]) {
  return (row: string): string =>
    JSON.stringify((JSON.parse(row) as unknown[]).map((cell, at) => (columns[at]?.list ? (cell ?? []) : cell)))
}
