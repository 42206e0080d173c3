import type { Column } from '../../records/flatten/column.ts'
import { quoteName } from '../files/sql-text.ts'

export interface SqlDialect {
  readonly name: 'postgres' | 'duckdb'
  formatType(column: Column): string
  /** Types that the database reports for columns that can hold the values of this one, the usual type first. */
  listFittingTypes(column: Column): readonly string[]
  formatTypeChange(table: string, column: Column): string
  formatSessionTable(name: string): string
  formatMilliseconds(expression: string): string
  formatSessionTableAs(name: string, query: string): string
  /** Tables get primary keys and indexes; false if the database does as well without. */
  readonly hasKeys: boolean
  /** The longest name that is not cut, in bytes. */
  readonly maxNameBytes: number
}

export function formatNames(columns: readonly Pick<Column, 'name'>[], prefix = ''): string {
  return columns.map(({ name }) => prefix + quoteName(name)).join(', ')
}

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

/** One connection of one database, with one transaction. Failures are a CatalogueError. */
export interface DatabaseSession {
  readonly dialect: SqlDialect
  /** The name of the database in messages, without a password. */
  readonly shown: string
  run(sql: string): Promise<number>
  /** Runs a statement, such as ALTER TABLE, during which no other session may use the table. */
  runAlone(table: string, sql: string): Promise<void>
  /** Makes columns the primary key of a table. Returns false, with a warning, if something prevents it. */
  addKey(table: string, columns: readonly string[]): Promise<boolean>
  awaitReading(tables: readonly string[]): Promise<void>
  rows(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>
  /** Types by table and column; columns in order. */
  readTables(schema: string): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>
  readUniqueKeys(schema: string): Promise<ReadonlyMap<string, readonly UniqueKey[]>>
  /** Kinds of named objects in a schema other than tables, such as "a view". */
  readOtherKinds(schema: string): Promise<ReadonlyMap<string, string>>
}
