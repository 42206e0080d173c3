import { readFileSync } from 'node:fs'
import { toLiteral } from './sql-text.ts'

/** The 51 columns of `columns-51.yaml` from a stream of products, for Parquet. */
export function selectColumns(input: string): string {
  return columns51.replaceAll('{input}', () => toLiteral(input))
}

/** The same for CSV, with lists as this tool writes them. */
export function selectCsvColumns(input: string): string {
  const joined = ['not_applicable_field', 'atc_category', 'active_ingredient_ids'].map(
    (name) => `array_to_string(${name}, '|') AS ${name}`,
  )
  return `SELECT * REPLACE (${joined.join(', ')}) FROM (${selectColumns(input)})`
}

/** The records as they are. DuckDB infers their types from a sample, which takes no longer than declaring them. */
export function selectRecords(input: string): string {
  return `SELECT result.* FROM read_ndjson(${toLiteral(input)})`
}

/** With DuckDB's default level: the least one made files of the same size in the same time. */
export const parquet = 'FORMAT parquet, COMPRESSION zstd'
export const csv = 'FORMAT csv'

export function copyTo(output: string, format: typeof parquet | typeof csv, select: string): string {
  return `COPY (${select}) TO ${toLiteral(output)} (${format})`
}

const columns51 = readFileSync(new URL('columns-51.sql', import.meta.url), 'utf8')
