import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { startCuttingProxy } from '../databases/cutting-proxy.ts'
import { skipsPostgres, startPostgres } from '../databases/postgres-server.ts'
import { StateFolder } from './state-folder.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

describe('a DuckDB file as an output', () => {
  test('a DuckDB file holds the same rows as the merged files after every run, and reports its own changes', async () => {
    const outputs = both()
    for (let day = 0; day < 3; day++) {
      const { state, databases = [] } = await folder.run({ outputs })
      expect(state.kind).toBe(day === 0 ? 'full' : 'delta')
      expect(databases.map(({ changes }) => changes)).toEqual([state.changes])
      const rows = (await folder.rows()).map(({ id, status }) => [id, status])
      expect(await select('SELECT id, status FROM products ORDER BY id')).toEqual(rows)
      folder.sandbox.advance()
    }
  })

  test('a DuckDB file as an output holds a merge and a history of one pipeline, each in a schema with a state of its own', async () => {
    const path = 'out/warehouse.duckdb'
    const outputs: NonNullable<PipelineConfig['outputs']> = [
      { format: 'ndjson', path: 'out/{table}.ndjson' },
      { format: 'duckdb', path, mode: 'merge' },
      { format: 'duckdb', path, schema: 'history', mode: 'history' },
    ]
    let versions = 0
    for (let night = 0; night < 4; night++) {
      const { state, databases = [] } = await folder.run({ outputs })
      expect(state.kind).toBe(night === 0 ? 'full' : 'delta')
      expect(databases.map(({ changes }) => changes)).toEqual([state.changes, state.changes])
      const rows = (await folder.rows()).map(({ id, status }) => [id, status])
      expect(await select('SELECT id, status FROM main.products ORDER BY id')).toEqual(rows)
      expect(await select('SELECT id, status FROM history.products WHERE is_current ORDER BY id')).toEqual(rows)
      versions += (state.changes?.new ?? 0) + (state.changes?.changed ?? 0)
      expect(await select('SELECT count(*)::INTEGER FROM history.products')).toEqual([[versions]])
      for (const schema of ['main', 'history'])
        expect(await select(`SELECT mode FROM ${schema}._catalogue_etl_runs GROUP BY mode`)).toHaveLength(1)
      folder.sandbox.advance()
    }
    expect(versions).toBeGreaterThan((await folder.rows()).length)
  })

  test('a DuckDB file has comments on its tables and columns, also on columns that the mode adds', async () => {
    await folder.run({ outputs: [{ format: 'duckdb', path: 'out/warehouse.duckdb', mode: 'history' }] })
    expect(await select("SELECT comment FROM duckdb_tables() WHERE table_name = 'products'")).toEqual([
      ['One row a product.'],
    ])
    const named = "table_name = 'products' AND column_name IN ('status', 'valid_to')"
    expect(await select(`SELECT column_name, comment FROM duckdb_columns() WHERE ${named} ORDER BY 1`)).toEqual([
      ['status', 'State'],
      ['valid_to', 'When it ended; empty for the current version'],
    ])
  })

  test('a DuckDB file may be the only output', async () => {
    const outputs = both().slice(1)
    const first = await folder.run({ outputs, manifest: { path: 'out/_manifest.json' } })
    expect(first.files).toEqual([])
    expect(first.state).toMatchObject({ changes: null, records: null, tables: [] })
    folder.sandbox.advance()
    const second = await folder.run({ outputs, manifest: { path: 'out/_manifest.json' } })
    expect(second.state.kind).toBe('delta')
    const [{ changes } = { changes: null }] = second.databases ?? []
    expect((changes?.changed ?? 0) + (changes?.new ?? 0)).toBeGreaterThan(0)
  })

  test('a DuckDB file as an output loses nothing to a delta in which more records left the filter than maxRemoved allows', async () => {
    const changes = {
      outputs: both().slice(1),
      manifest: { path: 'out/_manifest.json' },
      source: { filter: { status: ['active'] } },
      incremental: { fullEvery: '90d' },
    }
    await folder.run(changes)
    const before = await select('SELECT * FROM products ORDER BY id')
    folder.sandbox.advance(20)
    expect((await folder.fail({ ...changes, maxRemoved: 0 })).code).toBe('REMOVED_TOO_MANY')
    expect(await select('SELECT * FROM products ORDER BY id')).toEqual(before)
    const { databases = [] } = await folder.run(changes)
    expect(databases[0]?.changes.removed).toBeGreaterThan(0)
  })

  test('a DuckDB file as an output loses records to an edit of the conditions, with a warning', async () => {
    const changes = { outputs: both().slice(1), manifest: { path: 'out/_manifest.json' }, maxRemoved: 0 }
    await folder.run(changes)
    const warnings: string[] = []
    const onWarning = (message: string) => warnings.push(message)
    const { editLosses = [] } = await folder.run({ ...changes, where: { status: 'active' } }, { onWarning })
    expect(editLosses.map(({ before, changed }) => [before, changed])).toEqual([[60, ['where']]])
    expect(warnings).toEqual([
      expect.stringMatching(/^\d+ of 60 published records of .*\.duckdb.* are removed: more than/),
    ])
    expect(await select("SELECT count(*) FROM products WHERE status <> 'active'")).toEqual([[0n]])
  })

  test('a run reads everything if its DuckDB file is new, and leaves the file alone if it fails', async () => {
    await folder.run({ outputs: both().slice(0, 1) })
    folder.sandbox.advance()
    const { state } = await folder.run({ outputs: both() })
    expect(state.kind).toBe('full')
    const before = await select('SELECT * FROM products ORDER BY id')
    folder.sandbox.advance()
    folder.sandbox.inject({ endpoint: 'v4/products/stream', fault: '500x3' })
    await folder.fail({ outputs: both(), source: { retries: 0 } })
    expect(await select('SELECT * FROM products ORDER BY id')).toEqual(before)
  })
})

describe.skipIf(skipsPostgres)('a PostgreSQL schema as an output', () => {
  test('a PostgreSQL schema holds the same rows as the merged files after every run, even if records leave the status filter', async () => {
    const server = await startPostgres()
    try {
      const outputs: NonNullable<PipelineConfig['outputs']> = [
        { format: 'ndjson', path: 'out/{table}.ndjson' },
        { format: 'postgres', url: server.url.text, schema: 'catalogue' },
      ]
      const source = { filter: { status: ['active'] } }
      for (const days of [0, 15, 0]) {
        if (days > 0) folder.sandbox.advance(days)
        const { state, databases = [] } = await folder.run({ outputs, source, incremental: { fullEvery: '90d' } })
        expect(databases.map(({ changes }) => changes)).toEqual([state.changes])
        const rows = (await folder.rows()).map(({ id, status }) => [id, status])
        expect(await server.query('SELECT id, status FROM catalogue.products ORDER BY id')).toEqual(rows)
        const photos = (await folder.rows('photos.ndjson')).map(
          ({ product_id, position }) => `${String(product_id)} ${String(position)}`,
        )
        const loaded = await server.query(
          "SELECT product_id || ' ' || position FROM catalogue.photos ORDER BY product_id, position",
        )
        expect(loaded.flat()).toEqual(photos)
      }
      expect(await readFile(folder.manifestPath, 'utf8')).not.toContain(encodeURIComponent(server.password))
    } finally {
      await server.stop()
    }
  })

  test('a commit to PostgreSQL with an unknown outcome says that the load may be there, and the next run finds it', async () => {
    const server = await startPostgres()
    const proxy = await startCuttingProxy(server.url)
    try {
      const outputs: NonNullable<PipelineConfig['outputs']> = [
        { format: 'ndjson', path: 'out/{table}.ndjson' },
        { format: 'postgres', url: proxy.url.text, schema: 'catalogue' },
      ]
      await folder.run({ outputs })
      const files = await folder.rows()
      folder.sandbox.advance()
      // The end of a statement: temporary tables are dropped "ON COMMIT DROP".
      proxy.cutForGoodAfter('COMMIT\0')
      const failure = await folder.fail({ outputs })
      expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
      expect(failure.message).toContain('; and its outcome is unknown: ')
      expect(failure.outputs).toBe(
        'The load may be in the database; the next run finds out. All other outputs are as they were.',
      )
      expect(await folder.rows()).toEqual(files)
      expect(await server.query('SELECT count(*) FROM catalogue._catalogue_etl_runs')).toEqual([['2']])
      proxy.restore()
      await folder.run({ outputs })
      const rows = (await folder.rows()).map(({ id, status }) => [id, status])
      expect(await server.query('SELECT id, status FROM catalogue.products ORDER BY id')).toEqual(rows)
    } finally {
      await proxy.stop()
      await server.stop()
    }
  })
})

function both(): NonNullable<PipelineConfig['outputs']> {
  return [
    { format: 'ndjson', path: 'out/{table}.ndjson' },
    { format: 'duckdb', path: 'out/warehouse.duckdb' },
  ]
}

async function select(query: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(join(folder.path, 'warehouse.duckdb'), {
    access_mode: 'READ_ONLY',
    threads: '1',
  })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(query)).getRows()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
