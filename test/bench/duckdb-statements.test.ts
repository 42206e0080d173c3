import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyToParquet, selectColumns, selectCsvColumns, selectRecords } from '../../bench/sides/duckdb-statements.ts'
import { toLiteral } from '../../bench/sides/sql-text.ts'
import { cases } from '../depth.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'

const records = cases(2000, 300)
let dir: string
let input: string
let lines: string[]
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'duckdb-statements-'))
  input = join(dir, 'products.ndjson')
  const bytes = Buffer.concat([...generateLines({ contract: 'v4/product', seed: 1, records })])
  lines = bytes.toString().trimEnd().split('\n')
  await writeFile(input, bytes)
})
afterAll(() => rm(dir, { recursive: true }))

async function queryRows(...statements: readonly string[]): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  try {
    const connection = await instance.connect()
    let rows: unknown[] = []
    for (const statement of statements) rows = (await connection.runAndReadAll(statement)).getRowObjectsJson()
    return rows
  } finally {
    instance.closeSync()
  }
}

it.each([
  ['Parquet', selectColumns],
  ['CSV', selectCsvColumns],
])('DuckDB tuned by hand selects the 51 columns for %s that DuckDB as typed does', async (_, select) => {
  const [tuned, typed] = [await queryRows(select(input, 'tuned')), await queryRows(select(input, 'as typed'))]
  expect(tuned).toHaveLength(records)
  expect(tuned).toEqual(typed)
})

it('DuckDB tuned by hand leaves out no field of a record', async () => {
  const rows = await queryRows(selectRecords(input, 'tuned'))
  expect(rows).toHaveLength(records)
  const missing = new Set(
    lines.flatMap((line, at) => lostPaths((JSON.parse(line) as { result: unknown }).result, rows[at], 'result')),
  )
  expect([...missing]).toEqual([])
})

it('DuckDB tuned by hand writes one file, in row groups that two threads can encode while they read', async () => {
  const output = join(dir, 'groups.parquet')
  const many = `SELECT range AS id FROM range(100000)`
  const [{ groups } = { groups: 0 }] = (await queryRows(
    copyToParquet(output, many, 'tuned'),
    `SELECT count(DISTINCT row_group_id)::INTEGER AS groups FROM parquet_metadata(${toLiteral(output)})`,
  )) as { groups: number }[]
  expect(groups).toBeGreaterThan(1)
})

/** Paths that are filled in the record and not in the row; what DuckDB gives as JSON text has all of its paths. */
function lostPaths(value: unknown, read: unknown, path: string): string[] {
  if (value === null || typeof read === 'string') return []
  if (read === null || read === undefined) return [path]
  if (Array.isArray(value)) return value.flatMap((item, at) => lostPaths(item, (read as unknown[])[at], `${path}[]`))
  if (typeof value !== 'object') return []
  const fields = read as Record<string, unknown>
  return Object.entries(value).flatMap(([name, item]) => lostPaths(item, fields[name], `${path}.${name}`))
}
