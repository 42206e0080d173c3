import { quoteText } from '../../loads/files/sql-text.ts'
import type { CsvDialect } from '../../manifest/manifest.ts'
import type { Column, ColumnType } from '../../records/flatten/column.ts'

/** The published files of one table in one format: one, or all whose paths match. */
export interface PublishedFiles {
  readonly format: 'parquet' | 'csv' | 'ndjson'
  /** The path of the only file; null where there may be many. */
  readonly path: string | null
  /** The beginning that all their paths share, and no others. */
  readonly prefix: string
  /** A pattern that all their paths match: `*` matches anything but `/`. */
  readonly pattern: string
  readonly gzip: boolean
  /** Null for what is no CSV. */
  readonly csv: CsvDialect | null
}

/** How a warehouse creates tables and loads files. */
export interface DdlDialect {
  /** Formats that it can load a table of these columns from, the best first. */
  listFormats(columns: readonly Column[]): readonly PublishedFiles['format'][]
  quoteName(name: string): string
  formatType(column: Column, files: PublishedFiles): string
  /** Statements that load the files into the table, which has these columns in this order. */
  formatLoad(table: string, columns: readonly Column[], files: PublishedFiles): string
  /**
   * The meaning of a table or of a column: behind its definition in CREATE TABLE (`inline`), or as a statement of its own.
   * `text` is never empty.
   */
  readonly comments:
    | { readonly kind: 'inline'; readonly format: (text: string) => string }
    | { readonly kind: 'statement'; readonly format: (target: string, text: string) => string }
  /** Advice for the reader: lines of a comment at the top. */
  readonly notes: readonly string[]
}

/** Names of all types but decimals, which have a precision and a scale. */
export type TypeNames = Readonly<Record<Exclude<ColumnType['kind'], 'decimal'>, string>>

/** `BIGINT`, `DECIMAL(12,2)`. */
export function nameType(type: ColumnType, names: TypeNames, decimal = 'DECIMAL'): string {
  return type.kind === 'decimal' ? `${decimal}(${type.precision},${type.scale})` : names[type.kind]
}

/** `COMMENT ON COLUMN …`, as most databases have it. */
export const commentStatements: DdlDialect['comments'] = {
  kind: 'statement',
  format: (target, text) => `COMMENT ON ${target} IS ${quoteText(text)};`,
}

/** A path in an object store stays as it is; another begins with the name of the place that it is copied to. */
export function toRemote(path: string, place: string): string {
  return /^\w{2,}:\/\//.test(path) ? path : `${place}/${path.replace(/^(?:\.?\/)+/, '')}`
}
