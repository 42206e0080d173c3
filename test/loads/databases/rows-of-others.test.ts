import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseLoad, DatabaseOptions, DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput } from '../../../src/loads/databases/open-database.ts'
import { failureOf } from './failure-of.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, giveRows, loadRows } from './load-rows.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'
import { startDatabase } from './targets.ts'

const day = 86_400_000
const start = anyLoad.startedAt.getTime()
const records: readonly ModelRecord[] = ['A', 'B', 'C'].map((id) => {
  return { id, name: `name of ${id}`, photos: [`${id}1.jpg`, `${id}2.jpg`], updatedAt: start - day }
})
const [a, b, c] = records as [ModelRecord, ModelRecord, ModelRecord]
const loadOf = (night: number, kind: DatabaseLoad['kind']): DatabaseLoad => ({
  ...anyLoad,
  kind,
  runId: `night-${night}`,
  startedAt: new Date(start + night * day),
  since: kind === 'full' ? null : new Date(start + (night - 1) * day),
  syncedUntil: new Date(start + night * day),
})

describe.skipIf(skipsPostgres)('tables in PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => (server = await startPostgres()))
  afterAll(() => server.stop())

  let number = 0
  const planOf = (
    mode: DatabaseOutputPlan['mode'] = 'merge',
    removed: 'drop' | 'mark' = 'drop',
  ): DatabaseOutputPlan => ({
    target: { format: 'postgres', url: server.url, schema: `others_${++number}` },
    pipeline: 'products',
    mode,
    removed,
    tables: modelTables,
  })
  const keysOf = async ({ target }: DatabaseOutputPlan) => {
    const rows = await server.query(
      `SELECT conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE contype = 'p' AND connamespace = '${target.schema}'::regnamespace ORDER BY 1`,
    )
    return rows.map(([key]) => key?.replace(`${target.schema}.`, ''))
  }
  const stateKeys = [
    '_catalogue_etl_records PRIMARY KEY (pipeline, id)',
    '_catalogue_etl_runs PRIMARY KEY (pipeline, run_number)',
  ]

  test.each([
    ['merge', ['product_photos PRIMARY KEY (product_id, "position")', 'products PRIMARY KEY (id)']],
    ['snapshot', ['product_photos PRIMARY KEY (product_id, "position")', 'products PRIMARY KEY (id)']],
    [
      'history',
      ['product_photos PRIMARY KEY (product_id, "position", valid_from)', 'products PRIMARY KEY (id, valid_from)'],
    ],
    ['append', []],
  ] as const)(
    'a table of mode %s has a primary key where the mode sees to it, and the state has one',
    async (mode, keys) => {
      const plan = planOf(mode)
      await loadRows(plan, loadOf(0, 'full'), toRows(records))
      expect(await keysOf(plan)).toEqual([...stateKeys, ...keys])
    },
  )

  test.each([
    ['merge', 'drop'],
    ['merge', 'mark'],
    ['snapshot', 'drop'],
  ] as const)(
    'rows of others that refer to a product stay when it changes, and go only with it (%s, %s)',
    async (mode, removed) => {
      const plan = planOf(mode, removed)
      const { schema } = plan.target
      await loadRows(plan, loadOf(0, 'full'), toRows(records))
      await server.query(
        `CREATE TABLE ${schema}.stock AS SELECT id FROM ${schema}.products;
        ALTER TABLE ${schema}.stock ADD FOREIGN KEY (id) REFERENCES ${schema}.products ON DELETE CASCADE;
        CREATE TABLE ${schema}.strict AS SELECT id FROM ${schema}.products WHERE id <> 'C';
        ALTER TABLE ${schema}.strict ADD FOREIGN KEY (id) REFERENCES ${schema}.products;
        ALTER TABLE ${schema}.product_photos ADD FOREIGN KEY (product_id) REFERENCES ${schema}.products`,
      )
      const versions = await server.query(`SELECT id, xmin FROM ${schema}.products WHERE id = 'B'`)
      const renamed = { ...a, name: 'other', photos: ['a3.jpg'], updatedAt: start }
      const added = { ...c, id: 'D' }
      const night = mode === 'snapshot' ? 'full' : 'delta'
      const all = night === 'full' ? [renamed, b, c, added] : [renamed, added]
      const { rowsWritten } = await loadRows(plan, loadOf(1, night), toRows(all))
      expect(rowsWritten).toEqual([2, 3])
      expect(await server.query(`SELECT string_agg(id, '' ORDER BY id) FROM ${schema}.stock`)).toEqual([['ABC']])
      expect(await server.query(`SELECT url FROM ${schema}.product_photos WHERE product_id = 'A'`)).toEqual([
        ['a3.jpg'],
      ])
      await loadRows(plan, loadOf(2, 'full'), toRows([renamed, b, added]))
      const left = removed === 'mark' ? 'ABC' : 'AB'
      expect(await server.query(`SELECT string_agg(id, '' ORDER BY id) FROM ${schema}.stock`)).toEqual([[left]])
      expect(await server.query(`SELECT id, xmin FROM ${schema}.products WHERE id = 'B'`)).toEqual(versions)
    },
  )

  test('a column that others have added keeps its values if something fills it, else rows with new values lose them', async () => {
    const plan = planOf()
    const { schema } = plan.target
    await loadRows(plan, loadOf(0, 'full'), toRows(records))
    await server.query(
      `ALTER TABLE ${schema}.products ADD number serial, ADD upper text GENERATED ALWAYS AS (upper(id)) STORED, ADD note text;
      UPDATE ${schema}.products SET note = 'mine'`,
    )
    const select = `SELECT id, number::text, upper, note FROM ${schema}.products ORDER BY id`
    await loadRows(plan, loadOf(1, 'delta'), toRows([{ ...b, name: 'other' }]))
    expect(await server.query(select)).toEqual([
      ['A', '1', 'A', 'mine'],
      ['B', '2', 'B', null],
      ['C', '3', 'C', 'mine'],
    ])
  })

  test.each(['merge', 'history', 'append'] as const)(
    'a publication of all tables of the server lets loads of mode %s pass, also into tables made before they had keys',
    async (mode) => {
      const plan = planOf(mode)
      const { schema } = plan.target
      await loadRows(plan, loadOf(0, 'full'), toRows(records))
      if (mode !== 'append') await makeKeyless(schema)
      await server.query(`CREATE PUBLICATION everything FOR ALL TABLES`)
      try {
        await loadRows(plan, loadOf(1, 'full'), toRows(records.slice(1)))
        const touched = { ...b, updatedAt: start }
        const { changes } = await loadRows(plan, loadOf(2, 'delta'), toRows([touched, { ...c, photos: [] }]))
        expect(changes).toMatchObject({ touched: 1, changed: 1 })
      } finally {
        await server.query('DROP PUBLICATION everything')
      }
    },
  )

  /** The tables as versions before made them. */
  async function makeKeyless(schema: string): Promise<void> {
    for (const table of ['_catalogue_etl_runs', '_catalogue_etl_records', 'products', 'product_photos'])
      await server.query(`ALTER TABLE ${schema}.${table} DROP CONSTRAINT ${table}_pkey`)
    await server.query(
      `CREATE UNIQUE INDEX ON ${schema}._catalogue_etl_records (pipeline, id); CREATE INDEX ON ${schema}.products (id)`,
    )
  }

  test('a table made before it had a key gets it by the next full load', async () => {
    const plan = planOf()
    const { schema } = plan.target
    await loadRows(plan, loadOf(0, 'full'), toRows(records))
    const keys = await keysOf(plan)
    await makeKeyless(schema)
    await loadRows(plan, loadOf(1, 'delta'), toRows([{ ...a, name: 'other' }]))
    expect(await keysOf(plan)).toEqual([])
    expect(await loadWith(plan, loadOf(2, 'full'), records)).toEqual([])
    expect(await keysOf(plan)).toEqual(keys)
    const indexes = await server.query(
      `SELECT indexname FROM pg_indexes WHERE schemaname = '${schema}' AND tablename = '_catalogue_etl_records'`,
    )
    expect(indexes).toEqual([['_catalogue_etl_records_pkey']])
  })

  test('rows that are there twice keep a table from its key, which is said, until a full load has mended them', async () => {
    const plan = planOf()
    const { schema } = plan.target
    await loadRows(plan, loadOf(0, 'full'), toRows(records))
    await makeKeyless(schema)
    await server.query(`INSERT INTO ${schema}.products SELECT * FROM ${schema}.products WHERE id = 'A'`)
    const [warning] = await loadWith(plan, loadOf(1, 'full'), records)
    expect(warning).toMatch(
      /"products" got no primary key: .*Key \(id\)=\(A\) is duplicated.*; the next full load tries again/,
    )
    expect(await server.query(`SELECT id FROM ${schema}.products ORDER BY id`)).toEqual([['A'], ['B'], ['C']])
    expect(await loadWith(plan, loadOf(2, 'full'), records)).toEqual([])
    expect((await keysOf(plan)).length).toBe(4)
  })

  test.each([
    ['emptied', 'TRUNCATE $', /"products" was emptied$/],
    ['dropped', 'DROP TABLE $', /"products" is gone$/],
    ['changed', 'ALTER TABLE $ DROP name', /"products" has other columns$/],
  ])(
    'a table that is %s while a load is read ends it with exit code 5, and the next full load mends it',
    async (_, sql, words) => {
      const plan = planOf()
      await loadRows(plan, loadOf(0, 'full'), toRows(records))
      const output = await openDatabaseOutput(plan, loadOf(1, 'delta'))
      const change = sql.replace('$', `${plan.target.schema}.products`)
      await server.query(change)
      const failure = await failureOf(giveRows(output, plan, loadOf(1, 'delta'), toRows([a])))
      expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5, message: expect.stringMatching(words) })
      await output.discard()
      const looked = await failureOf(openDatabaseOutput(plan, loadOf(1, 'delta')))
      expect(looked).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
      await loadRows(plan, loadOf(1, 'full'), toRows(records))
      const names = await server.query(`SELECT name FROM ${plan.target.schema}.products ORDER BY id`)
      expect(names).toEqual(records.map(({ name }) => [name]))
    },
  )

  test.each([
    ['a view', 'CREATE VIEW $ AS SELECT 1 AS id'],
    ['a materialized view', 'CREATE MATERIALIZED VIEW $ AS SELECT 1 AS id'],
    [
      'a foreign table',
      'CREATE FOREIGN DATA WRAPPER none; CREATE SERVER elsewhere FOREIGN DATA WRAPPER none; CREATE FOREIGN TABLE $ (id text) SERVER elsewhere',
    ],
  ])('%s in the place of a table is named', async (kind, sql) => {
    const plan = planOf()
    const { schema } = plan.target
    await server.query(`CREATE SCHEMA ${schema}; ${sql.replace('$', `${schema}.products`)}`)
    const failure = await failureOf(loadRows(plan, loadOf(0, 'full'), toRows(records)))
    expect(failure).toMatchObject({ code: 'TARGET_MISMATCH', exitCode: 2 })
    expect(failure.message).toContain(`"products": expected a table or nothing, got ${kind}`)
  })
})

test('a unique index or a view that was made by hand in DuckDB is named as the cause when it ends a load', async () => {
  const database = await startDatabase('duckdb')
  const target = database.createTarget()
  const plan: DatabaseOutputPlan = { target, pipeline: 'products', mode: 'merge', removed: 'drop', tables: modelTables }
  await loadRows(plan, loadOf(0, 'full'), toRows(records))
  await database.query(target, 'CREATE UNIQUE INDEX by_hand ON main.products (id)')
  const failure = await failureOf(loadRows(plan, loadOf(1, 'delta'), toRows([{ ...a, name: 'other' }])))
  expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
  expect(failure.fix).toContain('unique index')
  await database.query(target, 'DROP INDEX by_hand')
  expect((await loadRows(plan, loadOf(1, 'delta'), toRows([{ ...a, name: 'other' }]))).changes.changed).toBe(1)
  await database.query(target, 'DROP TABLE main.products; CREATE VIEW main.products AS SELECT 1 AS id')
  expect((await failureOf(loadRows(plan, loadOf(2, 'full'), toRows(records)))).message).toContain('got a view')
  await database.stop()
})

async function loadWith(plan: DatabaseOutputPlan, load: DatabaseLoad, all: readonly ModelRecord[]): Promise<string[]> {
  const warnings: string[] = []
  const options: DatabaseOptions = { onWarning: (message) => void warnings.push(message) }
  const output = await openDatabaseOutput(plan, load, options)
  await giveRows(output, plan, load, toRows(all))
  await output.commit()
  await output.discard()
  return warnings
}
