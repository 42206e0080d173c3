import { readFileSync } from 'node:fs'
import { toLiteral } from './sql-text.ts'

/** The statement as its documentation shows it, and the fastest one that is known to make the same rows. */
export type DuckDbReading = 'as typed' | 'tuned'

/** The 51 columns of `columns-51.yaml` from a stream of products, for Parquet. */
export function selectColumns(input: string, reading: DuckDbReading): string {
  return fill(columns51, input, reading)
}

/** The same for CSV, with lists as this tool writes them. */
export function selectCsvColumns(input: string, reading: DuckDbReading): string {
  const joined = ['not_applicable_field', 'atc_category', 'active_ingredient_ids'].map(
    (name) => `array_to_string(${name}, '|') AS ${name}`,
  )
  return `SELECT * REPLACE (${joined.join(', ')}) FROM (${selectColumns(input, reading)})`
}

/** The records as they are. As typed, DuckDB infers their types from a sample. */
export function selectRecords(input: string, reading: DuckDbReading): string {
  if (reading === 'as typed') return `SELECT result.* FROM read_ndjson(${toLiteral(input)})`
  return fill(allFields, input, reading)
}

/** With DuckDB's default level: the least one made files of the same size in the same time. */
export function copyToParquet(output: string, select: string, reading: DuckDbReading): string {
  const rowGroups = reading === 'tuned' ? `, ROW_GROUP_SIZE ${tunedRowGroupRows}` : ''
  return `COPY (${select}) TO ${toLiteral(output)} (FORMAT parquet, COMPRESSION zstd${rowGroups})`
}

export function copyToCsv(output: string, select: string): string {
  return `COPY (${select}) TO ${toLiteral(output)} (FORMAT csv)`
}

function fill(statement: string, input: string, reading: DuckDbReading): string {
  return statement
    .replaceAll('{input}', () => toLiteral(input))
    .replaceAll('{options}', () => (reading === 'tuned' ? `, ${tunedOptions}` : ''))
}

/**
 * Without the first three DuckDB reads a sample first, mostly on one thread, even if all columns are declared. Its
 * buffers hold twice the largest object: by default 32 MB, few enough that one thread has none to parse at the end.
 */
const tunedOptions = [
  'auto_detect = false',
  "format = 'newline_delimited'",
  'records = true',
  'maximum_object_size = 1048576',
].join(', ')

/** The default of 122,880 puts the whole file into one group, which one thread encodes when all is read. */
const tunedRowGroupRows = 16_384

const columns51 = readFileSync(new URL('../columns-51.sql', import.meta.url), 'utf8')
const allFields = readFileSync(new URL('../all-fields.sql', import.meta.url), 'utf8')
