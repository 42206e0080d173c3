import { readFile } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetMetadataAsync, asyncBufferFromFile } from 'hyparquet'

const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
const connection = await instance.connect()
await connection.run("SET TimeZone = 'UTC'")

/** Rows of a query in DuckDB, over a database file where one is named; every value as JSON has it. */
export async function queryDuckDb(sql: string, path?: string): Promise<unknown[][]> {
  if (path === undefined) return (await connection.runAndReadAll(sql)).getRowsJson()
  await connection.run(`ATTACH '${path}' AS warehouse (READ_ONLY); USE warehouse`)
  try {
    return await queryDuckDb(sql)
  } finally {
    await connection.run('USE memory; DETACH warehouse')
  }
}

interface OutputFile {
  readonly path: string
  readonly format: string
}

export type Row = Readonly<Record<string, unknown>>

/** The rows of a file, read by other people's code. */
export async function readRows({ path, format }: OutputFile, delimiter = ','): Promise<Row[]> {
  if (format === 'ndjson') {
    const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as Row)
  }
  const options = `delim = '${delimiter}', quote = '"', escape = '"', header = true, all_varchar = true, auto_detect = false`
  const columns = format === 'csv' ? await readHeader(path, delimiter) : ''
  const from = format === 'csv' ? `read_csv('${path}', ${options}, columns = {${columns}})` : `read_parquet('${path}')`
  const rows = await queryDuckDb(`SELECT to_json(t) FROM ${from} AS t`)
  if (format === 'parquet') await checkRows(path, rows.length)
  return toRows(rows)
}

/** Rows that a database has made JSON of. */
export function toRows(rows: readonly (readonly unknown[])[]): Row[] {
  return rows.map(([text]) => JSON.parse(text as string) as Row)
}

async function readHeader(path: string, delimiter: string): Promise<string> {
  const [header = ''] = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '').split(/\r?\n/)
  return header
    .split(delimiter)
    .map((name) => `'${name}': 'VARCHAR'`)
    .join(', ')
}

/** A second reader of Parquet has to see as many rows. */
async function checkRows(path: string, rows: number): Promise<void> {
  const { num_rows: count } = await parquetMetadataAsync(await asyncBufferFromFile(path))
  if (Number(count) !== rows) throw new Error(`${path}: DuckDB reads ${rows} rows, hyparquet ${count}`)
}
