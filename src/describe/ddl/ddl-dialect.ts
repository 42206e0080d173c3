import { typeOf, type ColumnType } from '../../types/column-types.ts'
import { quoteText } from '../../loads/files/sql-text.ts'
import type { PublishedPaths } from '../published-paths.ts'
import type { CsvDialect } from '../../manifest/manifest.ts'
import type { ChangesDialect } from './changes-dialect.ts'
import type { Column } from '../../records/flatten/column.ts'

/** The published files of one table in one format. */
export interface PublishedFiles extends PublishedPaths {
  readonly format: 'parquet' | 'csv' | 'ndjson'
  readonly gzip: boolean
  /** Null unless the format is CSV. */
  readonly csv: CsvDialect | null
  /** Whether the header has labels in place of the names of columns. */
  readonly isLabelled?: boolean
}

export interface DdlDialect {
  /** Formats that the warehouse can load into these columns, the best first. */
  listFormats(columns: readonly Column[]): readonly PublishedFiles['format'][]
  /** What the warehouse does not load about files in such a format, as in "got csv with …"; null if it loads them. */
  refuses?(files: PublishedFiles): string | null
  quoteName(this: void, name: string): string
  formatType(column: Column, files: Pick<PublishedFiles, 'format'>): string
  /**
   * Formats the statements that load the files into a table with these columns, in this order. `again`: also if a table of that
   * name has been loaded from them.
   */
  formatLoad(table: string, columns: readonly Column[], files: PublishedFiles, again?: boolean): string
  /**
   * How the meaning of a table or column is written: in CREATE TABLE (`inline`) or as a statement of its own. `text` is
   * never empty.
   */
  readonly comments:
    | { readonly kind: 'inline'; readonly format: (text: string) => string }
    | { readonly kind: 'statement'; readonly format: (target: string, text: string) => string }
  readonly notes: readonly string[]
  /** Settings of the session that all other statements rely on. */
  readonly settings?: readonly string[]
  /** What CREATE TABLE has after the columns, before the comment. */
  readonly tableOptions?: string
  readonly changes: ChangesDialect
  /** Absent for warehouses that read no tables of lakes. */
  readonly views?: ViewDialect
}

export interface ViewDialect {
  /** Formats the statement that makes a view of a table of a lake at one version. */
  format(view: string, table: PinnedTable): string
  /** Statements before and after those of all views, by which they change together. */
  readonly transaction?: readonly [begin: string, commit: string]
  readonly notes: readonly string[]
}

/** A table of a lake at one version. */
export interface PinnedTable {
  readonly format: 'delta' | 'iceberg'
  /** The path of its folder; on a disk the whole one. */
  readonly folder: string
  readonly version: number
}

/** The type of a column that a warehouse loads from files of a format: arrays in CSV are text. */
export function nameType(
  { type, list }: Pick<Column, 'type' | 'list'>,
  warehouse: 'spark' | 'snowflake' | 'bigquery' | 'redshift' | 'clickhouse' | 'mariadb',
  format: PublishedFiles['format'],
  formatArray: (element: string) => string,
): string {
  if (list && format === 'csv') return nameScalar({ kind: 'text' }, warehouse, format)
  const scalar = nameScalar(type, warehouse, format)
  return list ? formatArray(scalar) : scalar
}

function nameScalar(type: ColumnType, warehouse: Parameters<typeof nameType>[1], format: PublishedFiles['format']) {
  const name = typeOf(type).sql[warehouse]
  return typeof name === 'string' ? name : name[format]
}

export const commentStatements: DdlDialect['comments'] = {
  kind: 'statement',
  format: (target, text) => `COMMENT ON ${target} IS ${quoteText(text)};`,
}

/** Text for engines that read backslashes within quotes as escapes. */
export function quoteEscaped(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}

/** Puts the name of a bucket before a path, unless the path is already in an object store. */
export function toRemote(path: string, place: string): string {
  return /^\w{2,}:\/\//.test(path) ? path : `${place}/${path.replace(/^(?:\.?\/)+/, '')}`
}

/**
 * Why a warehouse does not load files; null if it does. An apostrophe added by `escapeFormulas` can't be distinguished
 * from a delivered one, and most loaders read no comma in numbers.
 */
export function whyNotLoaded(files: PublishedFiles, dialect: DdlDialect): string | null {
  if (files.csv?.escapeFormulas) return 'escapeFormulas, whose apostrophes would become part of the texts'
  if (files.csv?.decimalSeparator === ',') return "decimalSeparator ',', which warehouses do not read"
  return dialect.refuses?.(files) ?? null
}
