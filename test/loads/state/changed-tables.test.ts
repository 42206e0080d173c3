import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { verifyPipeline } from '../../../src/inspect/verify/verify-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { skipsMariadb, startMariadb, type MariadbServer } from '../databases/mariadb-server.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from '../databases/postgres-server.ts'
import { StateFolder } from './state-folder.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>
type Mode = 'snapshot' | 'merge' | 'history'

let folder: StateFolder
let server: PostgresServer | null = null
let mariadb: MariadbServer | null = null
let schemas = 0

beforeAll(async () => {
  if (!skipsPostgres) server = await startPostgres()
  if (!skipsMariadb) mariadb = await startMariadb()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  folder = await StateFolder.create()
  schemas += 1
})
afterEach(() => folder.close())

const formats = (['duckdb', 'postgres', 'mariadb'] as const).filter(
  (format) => !{ duckdb: false, postgres: skipsPostgres, mariadb: skipsMariadb }[format],
)

describe.each(formats)('tables that were changed in %s', (format) => {
  const output = (mode: Mode): Outputs => [
    format === 'duckdb'
      ? { format, path: 'out/warehouse.duckdb', schema: schemaName(), mode }
      : format === 'postgres'
        ? { format, url: server?.url.text ?? '', schema: schemaName(), mode }
        : { format, url: (mariadb?.url ?? '').replace(/[^/]*$/, schemaName()), mode },
  ]
  const query = async (sql: string): Promise<string[]> => {
    const text = sql.replaceAll('SCHEMA', schemaName())
    const rows = await (format === 'duckdb'
      ? queryDuckdb(text)
      : (format === 'mariadb' ? mariadb : server)?.query(text))
    return (rows ?? []).map((row) => row.join(' '))
  }
  const merge = () => folder.run(fromFile(output('merge')))
  const all = () => query('SELECT id, status FROM SCHEMA.products ORDER BY id')

  test.each(['merge', 'history'] as const)(
    'a table of mode %s that lost rows makes the next run read everything, which puts them back and is reported',
    async (mode) => {
      const changes = { outputs: output(mode), manifest: { path: 'out/_manifest.json' } }
      await folder.run(changes)
      const before = await all()
      const photos = await query('SELECT count(*) FROM SCHEMA.photos')
      await query("DELETE FROM SCHEMA.products WHERE status = 'active'")
      await query('DELETE FROM SCHEMA.photos')
      const got = (await all()).length
      const warnings: string[] = []
      const { state, databases, notes } = await folder.run(changes, { onWarning: (message) => warnings.push(message) })
      expect(state.kind).toBe('full')
      expect(notes?.[0]).toContain(
        `table "products" has ${got} rows, and the last load left ${before.length}, table "photos" has 0 rows`,
      )
      expect(databases?.[0]?.differences).toEqual([
        { table: 'products', expected: before.length, got },
        { table: 'photos', expected: Number(photos[0]), got: 0 },
      ])
      expect(warnings.join('\n')).toMatch(/products of .* had \d+ rows, the last load left \d+: every record was put/)
      expect(await all()).toEqual(before)
      expect(await query('SELECT count(*) FROM SCHEMA.photos')).toEqual(photos)
      const next = await folder.run(changes)
      expect([next.state.kind, next.databases?.[0]?.differences]).toEqual(['delta', undefined])
    },
  )

  test.each(['merge', 'history', 'snapshot'] as const)(
    'a row that no load brought into a table of mode %s stays and is reported, whatever is read',
    async (mode) => {
      await writeProducts(['A', 'B', 'C'])
      const run = (options = {}) => folder.run(fromFile(output(mode)), options)
      await run()
      const [columns, values] = mode === 'history' ? [', valid_from', ', now()'] : ['', '']
      await query(`INSERT INTO SCHEMA.products (id, status${columns}) VALUES ('foreign', 'theirs'${values})`)
      const found = await run()
      expect(found.databases?.[0]?.differences).toEqual([{ table: 'products', expected: 3, got: 4 }])
      expect(found.databases?.[0]?.tables[0]).toMatchObject({ foreignRows: 1 })
      await writeProducts(['A', 'C', 'D'])
      const warnings: string[] = []
      const refreshed = await run({ fullRefresh: true, onWarning: (message: string) => warnings.push(message) })
      expect(refreshed.databases?.[0]?.changes).toMatchObject({ new: 1, removed: 1 })
      expect(warnings.join()).toMatch(/products of .* has 1 row that this pipeline has not loaded; they stay/)
      const current = mode === 'history' ? ' WHERE is_current IS NOT FALSE' : ''
      expect(await query(`SELECT id FROM SCHEMA.products${current} ORDER BY id`)).toEqual(['A', 'C', 'D', 'foreign'])
      expect((await run()).databases?.[0]?.differences).toBeUndefined()
    },
  )

  test('a database that was restored from before the last full read is found by verify, and the next run reads everything into it', async () => {
    const changes = { outputs: output('merge'), manifest: { path: 'out/_manifest.json' } }
    const names = ['products', 'photos', '_catalogue_etl_runs', '_catalogue_etl_records']
    await folder.run(changes)
    for (const name of names) await query(`CREATE TABLE SCHEMA.backup_${name} AS SELECT * FROM SCHEMA.${name}`)
    folder.sandbox.advance(8)
    const { state } = await folder.run(changes)
    expect([state.kind, (await folder.run(changes)).state.kind]).toEqual(['full', 'delta'])
    for (const name of names) {
      await query(`DELETE FROM SCHEMA.${name}`)
      await query(`INSERT INTO SCHEMA.${name} SELECT * FROM SCHEMA.backup_${name}`)
    }
    const found = await verifyPipeline(planPipeline(folder.config(changes), { outDir: folder.path, env: {} }))
    expect(found.differences).toMatchObject([
      { kind: 'changed', got: expect.stringContaining('older database') as string },
    ])
    folder.sandbox.advance()
    const next = await folder.run(changes)
    expect([next.state.kind, next.notes?.[0]]).toEqual(['full', expect.stringMatching(/an older database was put/)])
    const ids = await query('SELECT id FROM SCHEMA.products')
    expect(ids.toSorted()).toEqual(folder.expectedRows().map(({ id }) => id))
    expect((await folder.run(changes)).state.kind).toBe('delta')
  })

  test('a full load that puts everything in place anew keeps the rows of a record whose line is rejected', async () => {
    await writeProducts(['A', 'B', 'C'])
    await folder.run(fromFile(output('merge')))
    await writeFile(
      join(folder.path, 'input.ndjson'),
      '{"id":"A","status":"active"}\n{"id":"B","status":["x"]}\n{"id":"C","status":"active"}\n',
    )
    await folder.run({ ...fromFile(output('merge')), rejects: { limit: 1 } }, { fullRefresh: true })
    expect(await all()).toEqual(['A active', 'B active', 'C active'])
  })

  test('a state of before its column was named synced_until is extended by a full load', async () => {
    await writeProducts(['A'])
    await merge()
    await query('ALTER TABLE SCHEMA._catalogue_etl_runs RENAME COLUMN synced_until TO reaches')
    expect((await merge()).databases?.[0]?.changes).toMatchObject({ unchanged: 1 })
    expect(await query('SELECT CAST(count(synced_until) AS integer) FROM SCHEMA._catalogue_etl_runs')).toEqual(['1'])
  })

  test('a state of before rows were counted is extended by the next load', async () => {
    await writeProducts(['A', 'B'])
    await merge()
    await query('ALTER TABLE SCHEMA._catalogue_etl_runs DROP COLUMN table_rows')
    await query("DELETE FROM SCHEMA.products WHERE id = 'A'")
    expect((await merge()).databases?.[0]?.differences).toBeUndefined()
    await query("DELETE FROM SCHEMA.products WHERE id = 'B'")
    expect((await merge()).databases?.[0]?.differences).toEqual([{ table: 'products', expected: 2, got: 1 }])
    expect(await all()).toEqual(['A active', 'B active'])
  })
})

/** Another one for each test. */
function schemaName(): string {
  return `s${schemas}`
}

function fromFile(outputs: Outputs) {
  return {
    source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
    incremental: undefined,
    tables: { products: { columns: ['id', 'status'] } },
    manifest: { path: 'out/_manifest.json' },
    outputs,
  }
}

async function writeProducts(ids: readonly string[]): Promise<void> {
  const lines = ids.map((id) => `${JSON.stringify({ id, status: 'active' })}\n`)
  await writeFile(join(folder.path, 'input.ndjson'), lines.join(''))
}

async function queryDuckdb(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(join(folder.path, 'warehouse.duckdb'), { threads: '1' })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(String))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
