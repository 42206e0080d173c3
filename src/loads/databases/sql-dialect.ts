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
  /** Creates a session's table from a query, for one transaction. */
  formatSessionTableAs(name: string, query: string): string
  /** Tables get primary keys and indexes; false where the database does as well without. */
  readonly hasKeys: boolean
  /** The longest name that is not cut, in bytes. */
  readonly maxNameBytes: number
}

export function formatNames(columns: readonly Pick<Column, 'name'>[], prefix = ''): string {
  return columns.map(({ name }) => prefix + quoteName(name)).join(', ')
}

/** `CREATE TABLE …`, one column a line. */
export function formatCreateTable(
  table: string,
  columns: readonly Column[],
  dialect: SqlDialect,
  primaryKey: readonly string[] = [],
): string {
  const lines = columns.map((column) => `  ${quoteName(column.name)} ${dialect.formatType(column)}`)
  if (primaryKey.length > 0) lines.push(`  PRIMARY KEY (${primaryKey.map(quoteName).join(', ')})`)
  return `CREATE TABLE ${table} (\n${lines.join(',\n')}\n)`
}

export interface UniqueKey {
  readonly columns: readonly string[]
  readonly isPrimary: boolean
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
  /** Makes columns the primary key of a table. False where something is in the way, which is a warning. */
  addKey(table: string, columns: readonly string[]): Promise<boolean>
  /** Waits until these tables can be read, in the transaction that is open. */
  awaitReading(tables: readonly string[]): Promise<void>
  /** The rows of a query whose columns are texts. */
  rows(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>
  /** The tables of a schema with the types of their columns, in order. */
  readTables(schema: string): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>
  /** What no two rows of the tables of a schema have in common, by table. */
  readUniqueKeys(schema: string): Promise<ReadonlyMap<string, readonly UniqueKey[]>>
  /** Kinds of what has a name in a schema and is no table, such as "a view". */
  readOtherKinds(schema: string): Promise<ReadonlyMap<string, string>>
}
