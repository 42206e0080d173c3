import type { Column } from '../../records/flatten/column.ts'
import { quoteName, quoteText } from '../../loads/files/sql-text.ts'
import { postgresDialect } from '../../loads/databases/postgres/postgres-dialect.ts'
import { formatNames } from '../../loads/databases/sql-dialect.ts'
import { deleteByIds, mergeRows, stageTables } from './changes-dialect.ts'
import { commentStatements, type DdlDialect, type PublishedFiles } from './ddl-dialect.ts'

export const postgresDdl: DdlDialect = {
  // CSV can't distinguish an empty list from one empty text.
  listFormats: (columns) => (columns.some(({ list }) => list) ? ['ndjson', 'csv'] : ['csv', 'ndjson']),
  notes: ['For psql: \\copy reads files of the machine that psql runs on.'],
  quoteName,
  formatType: (column) => postgresDialect.formatType(column),
  comments: commentStatements,
  changes: {
    transaction: ['BEGIN;', 'COMMIT;'],
    formatKey: (columns) => `PRIMARY KEY (${columns.join(', ')})`,
    now: 'now()',
    formatStage: stageTables((name) => `CREATE TEMPORARY TABLE ${name}`),
    formatRefusal: (condition, message) =>
      `DO $$ BEGIN IF ${condition} THEN RAISE EXCEPTION USING MESSAGE = ${quoteText(message)}; END IF; END $$;`,
    formatDelete: deleteByIds,
    formatUpsert: mergeRows,
    addColumn: 'ADD COLUMN IF NOT EXISTS',
  },
  formatLoad(table, columns, files) {
    if (files.format === 'ndjson') return formatNdjsonLoad(table, columns, files)
    if (!columns.some(({ list }) => list)) return formatCopy(table, columns, files)
    return formatListLoad(table, columns, files)
  },
}

function formatCopy(table: string, columns: readonly Column[], files: PublishedFiles): string {
  const { delimiter = ',', quote = '"', header: isHeaded = true } = files.csv ?? {}
  // If there are several files, the shell has removed their headers.
  const header = isHeaded && files.path !== null
  const signs = `FORMAT csv, HEADER ${header}, DELIMITER ${quoteText(delimiter)}, QUOTE ${quoteText(quote)}, ENCODING 'UTF8'`
  return `\\copy ${table} (${formatNames(columns)}) FROM ${formatInput(files)} WITH (${signs})`
}

function formatInput({ path, pattern, gzip, csv }: PublishedFiles): string {
  if (path !== null && !gzip) return quoteText(path)
  const shellPattern = pattern.replaceAll(/[^\w*/.:=-]/g, '\\$&')
  const read = `for file in ${shellPattern}; do ${gzip ? 'gzip -dc' : 'cat'} "$file"`
  if (path !== null) return `PROGRAM ${quoteText(`gzip -dc ${shellPattern}`)}`
  return `PROGRAM ${quoteText(csv?.header ? `${read} | tail -n +2; done` : `${read}; done`)}`
}

/**
 * Loads each line of JSON as one text, with a delimiter and quote that JSON escapes, and lets PostgreSQL convert the
 * fields.
 */
function formatNdjsonLoad(table: string, columns: readonly Column[], files: PublishedFiles): string {
  const names = formatNames(columns)
  return [
    'BEGIN;',
    'CREATE TEMPORARY TABLE catalogue_lines (line json) ON COMMIT DROP;',
    `\\copy catalogue_lines FROM ${formatInput(files)} WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02', ENCODING 'UTF8')`,
    `INSERT INTO ${table} (${names}) SELECT ${formatNames(columns, 'r.')} FROM catalogue_lines, json_populate_record(NULL::${table}, line) AS r;`,
    'COMMIT;',
  ].join('\n')
}

/** Loads lists as text and splits them in the server. */
function formatListLoad(table: string, columns: readonly Column[], files: PublishedFiles): string {
  const asText = columns.map(({ name, type, list }) => {
    const column: Column = list ? { name, type: { kind: 'text' }, list: false } : { name, type, list }
    return `${quoteName(name)} ${postgresDialect.formatType(column)}`
  })
  const values = columns.map((column) => (column.list ? formatListValue(column, files) : quoteName(column.name)))
  return [
    'BEGIN;',
    `CREATE TEMPORARY TABLE catalogue_rows (${asText.join(', ')}) ON COMMIT DROP;`,
    formatCopy('catalogue_rows', columns, files),
    `INSERT INTO ${table} (${formatNames(columns)}) SELECT ${values.join(', ')} FROM catalogue_rows;`,
    'COMMIT;',
  ].join('\n')
}

/**
 * Splits a list at its separators. Escaped separators become private-use characters first and are put back afterwards.
 */
function formatListValue(column: Column, { csv }: PublishedFiles): string {
  const name = quoteName(column.name)
  const separator = quoteText(csv?.listSeparator ?? '|')
  const marked = `replace(replace(${name}, '\\\\', chr(57345)), '\\' || ${separator}, chr(57346))`
  const element = `replace(replace(e, chr(57346), ${separator}), chr(57345), '\\')`
  const elements = `unnest(string_to_array(${marked}, ${separator}, '')) WITH ORDINALITY AS t(e, n)`
  const list = `ARRAY(SELECT ${element} FROM ${elements} ORDER BY n)::${postgresDialect.formatType(column)}`
  return `CASE WHEN ${name} IS NOT NULL THEN ${list} END`
}
