import { quoteText } from '../../loads/files/sql-text.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { PublishedFiles } from './ddl-dialect.ts'

/** How a warehouse applies the changes of a run to its tables. All names are quoted. */
export interface ChangesDialect {
  /** Statements around those of a run; null if the warehouse has no transaction over several tables. */
  readonly transaction: readonly [begin: string, commit: string] | null
  /** Settings of the session, beside those of the dialect. */
  readonly settings?: readonly string[]
  /** What CREATE TABLE has after the columns, if that is not `tableOptions` of the dialect. */
  readonly tableOptions?: string
  /** The index of a table by the id of records, as a line of CREATE TABLE. */
  formatIndex?(idColumn: string): string
  /** A primary key, as a line of CREATE TABLE; absent if the warehouse enforces none. */
  formatKey?(columns: readonly string[]): string
  /** The time now, for a column of the type `timestamp`. */
  readonly now: string
  formatStage(stage: Stage): StageStatements
  /** Formats a statement that fails with a message if a condition holds. `table` may be read for it. */
  formatRefusal(condition: string, message: string, table: string): string
  /** Formats a statement that deletes the rows with the ids that a query selects as `record`. */
  formatDelete(table: string, idColumn: string, query: string): string
  /** Formats the statements that put rows in the place of those with their ids. */
  formatUpsert(table: string, rows: PlacedRows): string
  /** What ALTER TABLE says to add a column unless it is there; null if the warehouse can't say so. */
  readonly addColumn: string | null
}

/** The files of a run for one table. */
export interface Stage {
  readonly name: string
  readonly columns: readonly Column[]
  readonly files: readonly PublishedFiles[]
  /** The condition on which their rows count. */
  readonly due: string
  formatColumns(this: void): string
  /** Formats the statements that add the rows of all files to a table. */
  formatLoads(this: void, table: string): string
}

export interface StageStatements {
  /** Statements before the transaction. */
  readonly load: string
  /** A statement within it that leaves no row if the run is not due. */
  readonly empty: string | null
  readonly drop: string
}

/** Rows with each id once. */
export interface PlacedRows {
  readonly columns: readonly string[]
  readonly idColumn: string
  readonly query: string
}

/** Stages as tables of the session. `create` is what comes before the columns. */
export function stageTables(create: (name: string) => string, options = ''): ChangesDialect['formatStage'] {
  return ({ name, due, formatColumns, formatLoads }) => ({
    load: `${create(name)} (${formatColumns()})${options};\n${formatLoads(name)}`,
    empty: `DELETE FROM ${name} WHERE NOT (${due});`,
    drop: `DROP TABLE ${name};`,
  })
}

export function deleteByIds(table: string, idColumn: string, query: string): string {
  return `DELETE FROM ${table} WHERE ${idColumn} IN (${query});`
}

export function mergeRows(table: string, { columns, idColumn, query }: PlacedRows): string {
  const others = columns.filter((name) => name !== idColumn)
  const update = others.map((name) => `${name} = s.${name}`).join(', ')
  return [
    `MERGE INTO ${table} AS t`,
    `USING (${query}) AS s ON t.${idColumn} = s.${idColumn}`,
    ...(others.length > 0 ? [`WHEN MATCHED THEN UPDATE SET ${update}`] : []),
    `WHEN NOT MATCHED THEN INSERT (${columns.join(', ')}) VALUES (${columns.map((name) => `s.${name}`).join(', ')});`,
  ].join('\n')
}

/** For warehouses that update no rows by a query. */
export function replaceRows(table: string, { columns, idColumn, query }: PlacedRows): string {
  const ids = `SELECT ${idColumn} AS record FROM (${query}) AS s`
  return `${deleteByIds(table, idColumn, ids)}\n${insertRows(table, columns, query)}`
}

export function insertRows(table: string, columns: readonly string[], query: string): string {
  return `INSERT INTO ${table} (${columns.join(', ')})\n${query};`
}

/** For warehouses without a function that fails. The text depends on a table, so that it is not converted beforehand. */
export function failByCast(condition: string, message: string, table: string): string {
  const text = `${quoteText(`${message} (runs applied: `)} || (SELECT count(*) FROM ${table}) || ')'`
  return `SELECT CASE WHEN ${condition} THEN CAST(${text} AS INTEGER) END;`
}
