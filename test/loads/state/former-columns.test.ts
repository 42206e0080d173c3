import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { StateFolder } from './state-folder.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

type Columns = NonNullable<NonNullable<PipelineConfig['tables']>[string]['columns']>
type Outputs = NonNullable<PipelineConfig['outputs']>

const before: Columns = ['id', 'status', 'cnk', { column: 'raw', from: 'meta', as: 'json' }]
const renamed: Columns = ['id', 'status', { column: 'code', from: 'cnk' }]
const readers: Readonly<Record<string, string>> = {
  parquet: "read_parquet('PATH/products.parquet')",
  csv: "read_csv('PATH/products.csv', all_varchar = true)",
  ndjson: "read_json('PATH/products.ndjson', format = 'newline_delimited')",
  partitions: "read_parquet('PATH/status=*/products.parquet', hive_partitioning = false)",
}

describe.each(Object.keys(readers))('a history as %s', (kind) => {
  const format = kind === 'partitions' ? 'parquet' : (kind as 'parquet' | 'csv' | 'ndjson')
  const sharing = kind === 'partitions' ? { partitionBy: ['status'] } : {}
  const outputs: Outputs = [{ format, path: `out/{table}.${format}`, mode: 'history', ...sharing }]

  test('a history keeps the values of columns that the config renamed, which are null in later versions', async () => {
    await night(before, outputs, { A: '1111111', B: '2222222', C: '3333333' })
    await night(before, outputs, { A: '1111112', B: '2222222', C: '3333333' })
    const { files } = await night(renamed, outputs, { A: '1111112', B: '2222222' })
    const names = ['id', 'status', 'code', 'cnk', 'raw', 'valid_from', 'valid_to', 'is_current']
    for (const { columns } of files) expect(columns.map(({ name }) => name)).toEqual(names)
    const readColumns = await select(`SELECT column_name FROM (DESCRIBE FROM ${reader(kind)})`)
    expect(readColumns.flat()).toEqual(names)
    expect(await versions(kind)).toEqual([
      'A null 1111111 false',
      'A 1111112 1111112 true',
      'B 2222222 2222222 true',
      'C null 3333333 false',
    ])
    await night(renamed, outputs, { A: '1111113', B: '2222222' })
    expect(await versions(kind)).toEqual([
      'A null 1111111 false',
      'A 1111112 1111112 false',
      'A 1111113 null true',
      'B 2222222 2222222 true',
      'C null 3333333 false',
    ])
    const raw = await select(`SELECT count(*) FROM ${reader(kind)} WHERE CAST(raw AS VARCHAR) LIKE '%updatedAt%'`)
    expect(raw).toEqual([['4']])
  })

  test('a history continues a column that returns, and refuses it with another type or case', async () => {
    await night(before, outputs, { A: '1111111', B: '2222222' })
    await night(['id', 'status'], outputs, { A: '1111112', B: '2222222' })
    await night([...before], outputs, { A: '1111112', B: '2222222' })
    expect(await select(`SELECT id, cnk FROM ${reader(kind)} ORDER BY id, valid_from`)).toEqual([
      ['A', '1111111'],
      ['A', '1111112'],
      ['B', '2222222'],
    ])
    await night(['id', 'status'], outputs, { A: '1111112', B: '2222222' })
    const wrong: [Columns, RegExp][] = [
      [
        ['id', 'status', { column: 'cnk', from: 'cnk', as: 'json' }],
        /"cnk" of table "products" to stay text, as it is in the versions/,
      ],
      [
        ['id', 'status', { column: 'Cnk', from: 'cnk' }],
        /"cnk" of table "products" to keep its capitals, .* got "Cnk"/,
      ],
    ]
    for (const [columns, message] of wrong) {
      const error = await night(columns, outputs, { A: '1111112' }).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({
        code: 'STATE_INVALID',
        message: expect.stringMatching(message),
        fix: expect.stringContaining('give the new one another name'),
      })
    }
  })
})

test('former columns of child tables stay with the rows of their versions', async () => {
  const outputs: Outputs = [{ format: 'ndjson', path: 'out/{table}.ndjson', mode: 'history' }]
  const run = (columns: Columns, type: string) =>
    load({ photos: { each: 'photos[]', columns } }, outputs, [{ id: 'A', photos: photos(1, type) }])
  await run(['id', 'photoType'], 'packshot')
  await run(['id', 'photoType'], 'frontal')
  await run(['id'], 'frontal')
  await run(['id'], 'packshot')
  const rows = await folder.rows('photos.ndjson')
  expect(rows.map((row) => [row['position'], row['photo_type'], row['is_current']])).toEqual([
    [1, 'packshot', false],
    [2, 'packshot', false],
    [1, 'frontal', false],
    [2, 'frontal', false],
    [1, null, true],
    [2, null, true],
  ])
})

test('a merge is read in full after an edit of the config, and has the columns of the config alone', async () => {
  const outputs: Outputs = [{ format: 'ndjson', path: 'out/{table}.ndjson', mode: 'merge' }]
  const changes = { outputs, incremental: { fullEvery: '90d' } }
  await folder.run({ ...changes, tables: { products: { columns: ['id', 'cnk'] } } })
  folder.sandbox.advance()
  const { state } = await folder.run({ ...changes, tables: { products: { columns: ['id', 'status'] } } })
  expect(state.kind).toBe('full')
  expect((await folder.rows()).map((row) => Object.keys(row).join())).toEqual(
    folder.expectedRows().map(() => 'id,status'),
  )
  const delta = await folder.run({ ...changes, tables: { products: { columns: ['id', 'status'] } } })
  expect(delta.state.kind).toBe('delta')
})

function photos(id: number, photoType: string): object[] {
  return [
    { id, photoType },
    { id: id + 1, photoType },
  ]
}

/** A run over these products and their codes. */
function night(columns: Columns, outputs: Outputs, codes: Readonly<Record<string, string>>) {
  const products = Object.entries(codes).map(([id, cnk]) => ({ id, status: 'active', cnk, meta: { updatedAt: 1 } }))
  return load({ products: { columns } }, outputs, products)
}

async function load(tables: PipelineConfig['tables'], outputs: Outputs, records: readonly object[]) {
  const files = join(folder.path, 'input.ndjson')
  await writeFile(files, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const source = { files, contract: 'v4/product' }
  return folder.run({ source, incremental: undefined, tables, outputs, manifest: { path: 'out/_manifest.json' } })
}

function reader(kind: string): string {
  return (readers[kind] ?? '').replace('PATH', folder.path)
}

async function versions(kind: string): Promise<string[]> {
  const rows = await select(
    `SELECT id, code, cnk, is_current FROM ${reader(kind)} ORDER BY id, CAST(valid_from AS TIMESTAMPTZ)`,
  )
  return rows.map((row) => row.join(' '))
}

async function select(query: string): Promise<string[][]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    const rows = (await connection.runAndReadAll(query)).getRows()
    return rows.map((row) => row.map(String))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
