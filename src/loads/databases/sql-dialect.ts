import type { Column } from '../../records/flatten/column.ts'
import type { TableMeaning } from './format-comments.ts'
import { quoteName, type SqlForms, standardForms } from '../files/sql-text.ts'

export interface SqlDialect extends SqlForms {
  readonly name: 'postgres' | 'duckdb' | 'mariadb'
  /** Texts of a key have a type of their own where an index takes no longer ones. */
  formatType(column: Column, isKey?: boolean): string
  /** Tells whether a column of a type, as the database reports it, can hold the values of this one. */
  fits(column: Column, type: string): boolean
  /** A value of a column in a form that has equality, if some types have none. Default: as it is. */
  readonly formatComparable?: (value: string, column: Partial<Column>) => string
  formatTypeChange(table: string, column: Column): string
  formatSessionTable(name: string): string
  formatMilliseconds(expression: string): string
  /** `indexed` are the columns of an index, if the database needs one for its joins. */
  formatSessionTableAs(name: string, query: string, indexed?: readonly string[]): string
  formatUpdate(change: RowChange & { readonly values: readonly (readonly [column: string, value: string])[] }): string
  formatDelete(change: RowChange): string
  /** Conditions on columns of `information_schema.columns`: whether the server fills them alone, and whether null is their default. */
  readonly columnFacts: { readonly isGenerated: string; readonly isEmptied: string }
  /** When tables get primary keys and indexes: with their creation, after their first rows, or never, as the database does as well without. */
  readonly keys: 'created' | 'filled' | 'none'
  /** Columns of a table can't differ in capitals alone. */
  readonly foldsColumns?: true
  /** Statements that define tables commit at once, before the rows. */
  readonly commitsDefinitions?: true
  /** What follows definitions of columns and tables, if comments are there; else `COMMENT ON` says them. */
  readonly inline?: {
    formatComment(this: void, text: string): string
    formatTable(this: void, comment: string): string
  }
  /** A statement for the user to run elsewhere. Default: as it is. */
  readonly toShown?: (statement: string) => string
  /** The longest name that is not cut, in bytes. */
  readonly maxNameBytes: number
}

/** Rows of a table, known as `as`, that meet a condition together with rows of others: those of `from`, SQL that may follow FROM. */
export interface RowChange {
  readonly table: string
  readonly as: string
  readonly from?: string
  readonly where: string
}

/** What DuckDB and PostgreSQL have in common. */
export const standardDialect = {
  ...standardForms,
  formatUpdate({ table, as, values, from, where }) {
    const assigned = values.map(([column, value]) => `${quoteName(column)} = ${value}`)
    return `UPDATE ${table} AS ${as} SET ${assigned.join(', ')} FROM ${from} WHERE ${where}`
  },
  formatDelete: ({ table, as, from, where }) =>
    `DELETE FROM ${table} AS ${as}${from === undefined ? '' : ` USING ${from}`} WHERE ${where}`,
  columnFacts: {
    isGenerated: "coalesce(is_generated = 'ALWAYS', FALSE) OR coalesce(identity_generation = 'ALWAYS', FALSE)",
    isEmptied: "is_nullable = 'YES' AND column_default IS NULL",
  },
} satisfies Partial<SqlDialect>

export function formatNames(columns: readonly Pick<Column, 'name'>[], prefix = ''): string {
  return columns.map(({ name }) => prefix + quoteName(name)).join(', ')
}

export interface TableDetails {
  readonly primaryKey?: readonly string[]
  /** Columns of an index whose values may repeat; only if `keys` of the dialect is "created". */
  readonly index?: readonly string[]
  /** Comments, if the dialect has them in definitions. */
  readonly meaning?: TableMeaning | undefined
}

export function formatCreateTable(
  table: string,
  columns: readonly Column[],
  dialect: SqlDialect,
  { primaryKey = [], index = [], meaning }: TableDetails = {},
): string {
  const keys = new Set([...primaryKey, ...index])
  const lines = columns.map((column) => `  ${formatDefinition(column, dialect, keys.has(column.name), meaning)}`)
  if (primaryKey.length > 0) lines.push(`  PRIMARY KEY (${primaryKey.map(quoteName).join(', ')})`)
  if (index.length > 0) lines.push(`  INDEX (${index.map(quoteName).join(', ')})`)
  const options = dialect.inline?.formatTable(meaning?.description ?? '') ?? ''
  return `CREATE TABLE ${table} (\n${lines.join(',\n')}\n)${options}`
}

/** `"name" type`, as in CREATE TABLE and ADD COLUMN. */
export function formatDefinition(
  column: Column,
  dialect: SqlDialect,
  isKey: boolean,
  meaning: TableMeaning | undefined,
): string {
  const { name } = column
  const comment = meaning !== undefined && Object.hasOwn(meaning.columns, name) ? meaning.columns[name] : undefined
  const described = comment ? (dialect.inline?.formatComment(comment) ?? '') : ''
  return `${quoteName(name)} ${dialect.formatType(column, isKey)}${described}`
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
  /** Begins the transaction, if statements that define tables can't be part of one. Called after them, before rows change. */
  begin(): Promise<void>
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
