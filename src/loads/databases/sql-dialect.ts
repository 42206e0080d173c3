import type { Column } from '../../records/flatten/column.ts'
import { quoteName } from '../files/sql-text.ts'

/** The SQL that differs between the databases that loads go into. */
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
  /** The longest name that is not cut, in bytes. */
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

/** One connection of one database, with one transaction. What fails is a CatalogueError. */
export interface DatabaseSession {
  readonly dialect: SqlDialect
  /** The place of the database for messages, without a password. */
  readonly shown: string
  /** Runs a statement and says how many rows it changed. */
  run(sql: string): Promise<number>
  /** Runs a statement, such as ALTER TABLE, during which no other session may use the table. */
  runAlone(table: string, sql: string): Promise<void>
  /** Waits until these tables can be read, in the transaction that is open. */
  awaitReading(tables: readonly string[]): Promise<void>
  /** The rows of a query whose columns are texts. */
  rows(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>
  /** The tables of a schema with the types of their columns, in order. */
  readTables(schema: string): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>
}
