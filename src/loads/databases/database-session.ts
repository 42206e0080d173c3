import type { SqlDialect } from './sql-dialect.ts'

/** One connection of one database, with one transaction. What fails is a CatalogueError. */
export interface DatabaseSession {
  readonly dialect: SqlDialect
  /** Where it is, for messages: without a password. */
  readonly shown: string
  /** Runs a statement and says how many rows it changed. */
  run(sql: string): Promise<number>
  /** Runs a statement, such as ALTER TABLE, while which nobody else may use the table. */
  runAlone(table: string, sql: string): Promise<void>
  /** Waits until these tables can be read, in the transaction that is open. */
  awaitReading(tables: readonly string[]): Promise<void>
  /** The rows of a query whose columns are texts. */
  rows(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]>
  /** The tables of a schema with the types of their columns, in order. */
  readTables(schema: string): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>
}
