import { typeOf, parseColumnType } from '../../types/column-types.ts'
import type { CsvDialect } from '../../manifest/manifest.ts'
import { formatNewLine, formatPaths, formatSqlType, quoteName, quoteText } from '../../loads/files/sql-text.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { ListedColumn } from './readable-table.ts'

/** How CSV was written. Without a separator, lists are JSON. */
type TextDialect = Omit<CsvDialect, 'listSeparator'> & { readonly listSeparator: string | null }

/** SQL that reads CSV files of a run as a typed table. Null and empty text stay distinct. */
export function formatCsvTable(
  paths: readonly string[],
  columns: readonly ListedColumn[],
  dialect: TextDialect,
  gzip: boolean,
): string {
  const { delimiter, quote, header, lineBreak } = dialect
  const texts = columns.map(({ name }) => `${quoteText(name)}: 'VARCHAR'`)
  const options = [
    'auto_detect = false',
    `header = ${header}`,
    `delim = ${quoteText(delimiter)}`,
    `quote = ${quoteText(quote)}`,
    `escape = ${quoteText(quote)}`,
    formatNewLine(lineBreak),
    `columns = {${texts.join(', ')}}`,
    `compression = ${gzip ? "'gzip'" : "'none'"}`,
    // A parallel reader that starts inside a file can't recognize quoted line breaks.
    'parallel = false',
    'allow_quoted_nulls = false',
    formatLineSize(),
  ]
  const values = columns.map((column) => `${formatCell(column, dialect)} AS ${quoteName(column.name)}`)
  return `(SELECT ${values.join(', ')} FROM read_csv(${formatPaths(paths)}, ${options.join(', ')}))`
}

/** SQL that reads any CSV. The dialect is detected; all columns are text, as types are never guessed. */
export function formatForeignCsv(path: string): string {
  return `read_csv(${formatPaths([path])}, all_varchar = true, header = true, allow_quoted_nulls = false, ${formatLineSize()})`
}

export function formatNdjsonTable(paths: readonly string[], columns: readonly ListedColumn[], gzip: boolean): string {
  const types = columns.map((column) => `${quoteText(column.name)}: ${quoteText(toSqlType(column, 'JSON'))}`)
  const options = [
    "format = 'newline_delimited'",
    `columns = {${types.join(', ')}}`,
    `compression = ${gzip ? "'gzip'" : "'uncompressed'"}`,
    `maximum_object_size = ${longestLine}`,
  ]
  return `read_json(${formatPaths(paths)}, ${options.join(', ')})`
}

/** By default the buffer holds sixteen lines of maximum length. */
function formatLineSize(): string {
  return `max_line_size = ${longestLine}, buffer_size = ${2 * longestLine}`
}

/** In bytes. A row may hold a whole record. */
const longestLine = 16 * 1024 * 1024

function formatCell(column: ListedColumn, dialect: TextDialect): string {
  const { list, type } = parseType(column)
  const name = quoteName(column.name)
  const cell = dialect.escapeFormulas && type.kind === 'text' ? formatUnescaped(name) : name
  const isComma = dialect.decimalSeparator === ',' && typeOf(type).form === 'number'
  const number = isComma ? `replace(${cell}, ',', '.')` : cell
  const value = list ? formatList(number, dialect.listSeparator) : number
  return `CAST(${value} AS ${toSqlType(column, 'VARCHAR')})`
}

/** SQL that removes the quote which protects spreadsheet programs from formulas. */
function formatUnescaped(cell: string): string {
  return `regexp_replace(${cell}, '^''([=+@\\t\\r\\x{FF1D}\\x{FF0B}\\x{FF0D}\\x{FF20}-])', '\\1')`
}

function formatList(cell: string, separator: string | null): string {
  return separator === null ? `CAST(CAST(${cell} AS JSON) AS VARCHAR[])` : formatElements(cell, separator)
}

/** SQL that splits a joined list, in which backslashes escape separators and backslashes. */
function formatElements(cell: string, separator: string): string {
  const hidden = `replace(replace(${cell}, '\\\\', chr(1)), ${quoteText(`\\${separator}`)}, chr(2))`
  const element = `replace(replace(element, chr(2), ${quoteText(separator)}), chr(1), '\\')`
  return `CASE ${cell} WHEN '' THEN [] ELSE
    list_transform(string_split(${hidden}, ${quoteText(separator)}), lambda element: nullif(${element}, '')) END`
}

function toSqlType(column: ListedColumn, json: string): string {
  const parsed = parseType(column)
  return parsed.type.kind === 'json' ? json : formatSqlType(parsed)
}

function parseType({ type }: ListedColumn): Pick<Column, 'type' | 'list'> {
  return parseColumnType(type) ?? { type: { kind: 'text' }, list: false }
}
