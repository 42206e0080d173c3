import type { Column } from '../../records/flatten/column.ts'
import { quoteName } from '../files/sql-text.ts'

/** What differs between the databases that loads go into. */
export interface SqlDialect {
  readonly name: 'postgres' | 'duckdb'
  /** The type of a column, as CREATE TABLE writes it. */
  formatType(column: Column): string
  /** Types that the database reports for columns that take the values of this one, the usual one first. */
  listFittingTypes(column: Column): readonly string[]
  /** Changes the type of a column that is there. */
  formatTypeChange(table: string, column: Column): string
  /** A table of the session, by its plain name. */
  formatSessionTable(name: string): string
  /** Milliseconds since 1970 of a timestamp, as text. */
  formatMilliseconds(expression: string): string
  /** Begins the statement that creates a session's table from a query. */
  readonly createSessionTable: string
  /** Creates an index; null where the database does as well without. */
  formatIndex(table: string, columns: readonly string[], isUnique: boolean): string | null
  /** The longest name that it tells from another, in bytes. */
  readonly maxNameBytes: number
}

export function formatNames(columns: readonly Pick<Column, 'name'>[], prefix = ''): string {
  return columns.map(({ name }) => prefix + quoteName(name)).join(', ')
}

/** `CREATE TABLE …`, one column a line. */
export function formatCreateTable(table: string, columns: readonly Column[], dialect: SqlDialect): string {
  const lines = columns.map((column) => `  ${quoteName(column.name)} ${dialect.formatType(column)}`)
  return `CREATE TABLE ${table} (\n${lines.join(',\n')}\n)`
}
