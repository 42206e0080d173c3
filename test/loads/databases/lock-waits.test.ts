import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseOptions, DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput, readTargetState } from '../../../src/loads/databases/open-database.ts'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { RunFolder } from '../../cli/run-folder.ts'
import { failureOf } from './failure-of.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, giveRows, loadRows } from './load-rows.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'

const records: ModelRecord[] = [{ id: 'A', name: 'aspirin', photos: ['a.jpg'], updatedAt: null }]
const changed: ModelRecord[] = [{ id: 'A', name: 'paracetamol', photos: ['b.jpg'], updatedAt: null }]
const next = { ...anyLoad, runId: 'run-2' }

/** Loads rows of changed content over what is there. */
async function loadAgain(plan: DatabaseOutputPlan, options: DatabaseOptions = {}): Promise<void> {
  const output = await openDatabaseOutput(plan, next, options)
  try {
    await giveRows(output, plan, next, toRows(changed))
    await output.commit()
  } finally {
    await output.discard()
  }
}

describe.skipIf(skipsPostgres)('a load that has to wait for a lock', () => {
  let server: PostgresServer
  beforeAll(async () => (server = await startPostgres()))
  afterAll(() => server.stop())

  let number = 0
  const planOf = (lockTimeoutMs?: number, change: (url: URL) => void = () => undefined): DatabaseOutputPlan => {
    const url = new URL(server.url.text)
    change(url)
    const target = {
      format: 'postgres',
      url: new DatabaseUrl(url.href),
      schema: `locks_${++number}`,
      lockTimeoutMs,
    } as const
    return { target, pipeline: 'products', mode: 'merge', removed: 'drop', tables: modelTables }
  }

  /** Another session with an open transaction, in which it has run something. */
  async function holdLock(sql: string): Promise<Client> {
    const client = new Client({ connectionString: server.url.text, application_name: 'night reader' })
    await client.connect()
    await client.query(`BEGIN; ${sql}`)
    return client
  }

  const withoutName = (plan: DatabaseOutputPlan) => server.query(`ALTER TABLE ${plan.target.schema}.products DROP name`)
  const namesOf = async ({ target }: DatabaseOutputPlan) => server.query(`SELECT name FROM ${target.schema}.products`)
  const holder =
    /got server process \d+ of "tester" \("night reader" from 127\.0\.0\.1.*\), idle in transaction, since \d{4}-\d\d-\d\d .*, with (\w+Lock) on locks_\d+\.\w+$/

  test.each([
    ['ACCESS EXCLUSIVE', 'LOCK TABLE $.products IN ACCESS EXCLUSIVE MODE', 'AccessExclusiveLock'],
    ['SHARE', 'LOCK TABLE $.products IN SHARE MODE', 'ShareLock'],
    [
      'ACCESS EXCLUSIVE of the state',
      'LOCK TABLE $._catalogue_etl_runs IN ACCESS EXCLUSIVE MODE',
      'AccessExclusiveLock',
    ],
  ])(
    'a load that has to wait for a lock says who holds %s, gives up after the bound with exit code 5, and changes nothing',
    async (_, sql, mode) => {
      const plan = planOf(1500)
      await loadRows(plan, anyLoad, toRows(records))
      const other = await holdLock(sql.replace('$', plan.target.schema))
      const warnings: string[] = []
      const startedAt = performance.now()
      const failure = await failureOf(loadAgain(plan, { onWarning: (message) => void warnings.push(message) }))
      const seconds = (performance.now() - startedAt) / 1000
      expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5, title: 'A database was locked for too long' })
      expect(holder.exec(failure.message)?.[1]).toBe(mode)
      expect(failure.message).toContain('within 1.5 s (lockTimeout)')
      expect(failure.fix).toContain('Run again')
      expect(warnings[0]).toMatch(holder)
      expect(seconds).toBeGreaterThan(1.4)
      await other.query('COMMIT')
      await other.end()
      expect(await namesOf(plan)).toEqual([['aspirin']])
      await loadAgain(plan)
      expect(await namesOf(plan)).toEqual([['paracetamol']])
    },
  )

  test.each([
    ['ACCESS SHARE of a reader', 'SELECT FROM $.products', 'AccessShareLock'],
    ['ROW EXCLUSIVE of a writer', 'UPDATE $.products SET id = id', 'RowExclusiveLock'],
  ])(
    'a load that has to wait for a lock for a new column says who holds %s, and continues when that ends',
    async (_, sql, mode) => {
      const plan = planOf(60_000)
      await loadRows(plan, anyLoad, toRows(records))
      await withoutName(plan)
      const other = await holdLock(sql.replace('$', plan.target.schema))
      const warnings: string[] = []
      const loading = loadAgain(plan, { onWarning: (message) => void warnings.push(message) })
      while (warnings.length === 0) await sleep(20)
      expect(holder.exec(warnings[0] ?? '')?.[1]).toBe(mode)
      await other.query('COMMIT')
      await other.end()
      await loading
      expect(await namesOf(plan)).toEqual([['paracetamol']])
    },
  )

  test('a load that waits for a lock for a new column never keeps readers waiting for long', async () => {
    const plan = planOf(4000)
    await loadRows(plan, anyLoad, toRows(records))
    await withoutName(plan)
    const other = await holdLock(`SELECT FROM ${plan.target.schema}.products`)
    const warnings: string[] = []
    const loading = failureOf(loadAgain(plan, { onWarning: (message) => void warnings.push(message) }))
    const isOver = () => Promise.race([loading.then(() => true), sleep(5).then(() => false)])
    let longest = 0
    let reads = 0
    while (!(await isOver())) {
      const startedAt = performance.now()
      await server.query(`SELECT count(*) FROM ${plan.target.schema}.products`)
      if (warnings.length > 0) longest = Math.max(longest, performance.now() - startedAt)
      reads++
    }
    expect(await loading).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
    // One attempt is 200 ms; all of them together are the whole 4 s.
    expect(longest).toBeLessThan(1500)
    expect(reads).toBeGreaterThan(20)
    await other.end()
  })

  test('a load that waits for the lock of a row ends after the bound, too, and says who has written there', async () => {
    const plan = planOf(3500)
    await loadRows(plan, anyLoad, toRows(records))
    const other = await holdLock(`UPDATE ${plan.target.schema}.products SET id = id`)
    const warnings: string[] = []
    const failure = await failureOf(loadAgain(plan, { onWarning: (message) => void warnings.push(message) }))
    expect(warnings).toEqual([
      expect.stringMatching(
        /waits for what others have locked, got server process \d+ of "tester" \("night reader" from/,
      ),
    ])
    expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5, title: 'A database was locked for too long' })
    expect(failure.message).toContain('(55P03); got')
    expect(holder.exec(failure.message)?.[1]).toBe('RowExclusiveLock')
    await other.end()
  })

  test('a load whose connection ends while it waits for a lock ends with exit code 5 and the message of the server', async () => {
    const plan = planOf(60_000)
    await loadRows(plan, anyLoad, toRows(records))
    const other = await holdLock(`LOCK TABLE ${plan.target.schema}.products`)
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'catalogue-etl products'`
    let ended: Promise<unknown> | undefined
    const failure = await failureOf(loadAgain(plan, { onWarning: () => void (ended ??= server.query(end)) }))
    await ended
    expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
    expect(failure.message).toContain('terminating connection due to administrator command (57P01)')
    await other.end()
  })

  test('a load waits for a lock no longer than the role or the URL says', async () => {
    const plan = planOf(60_000, (url) => url.searchParams.set('options', '-c lock_timeout=700'))
    await loadRows(plan, anyLoad, toRows(records))
    const other = await holdLock(`LOCK TABLE ${plan.target.schema}.products`)
    expect((await failureOf(loadAgain(plan))).message).toContain('within 0.7 s (lockTimeout)')
    await other.end()
  })

  test('a load that has to wait for a lock stops waiting when the run is asked to stop', async () => {
    const plan = planOf(60_000)
    await loadRows(plan, anyLoad, toRows(records))
    const other = await holdLock(`LOCK TABLE ${plan.target.schema}.products`)
    const stop = new AbortController()
    const failure = await failureOf(loadAgain(plan, { signal: stop.signal, onWarning: () => stop.abort() }))
    expect(failure).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    await other.end()
  })

  test('a load that has to wait for a lock writes so to the log of the run, whose config has lockTimeout', async () => {
    const folder = await RunFolder.create()
    const files = await folder.generate('brands.ndjson', 'v4/brand', 5)
    const output = { format: 'postgres', url: server.url.text, schema: 'brands', lockTimeout: '1500ms' }
    const config = { name: 'brands', source: { files, contract: 'v4/brand' }, outputs: [output] } as PipelineConfig
    const warnings: string[] = []
    const run = () =>
      runPipeline(config, { outDir: folder.out, workers: 0, onWarning: (message) => void warnings.push(message) })
    await run()
    const other = await holdLock('LOCK TABLE brands.brands')
    expect(await failureOf(run())).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
    expect(warnings.join()).toMatch(
      /waits for the lock ACCESS SHARE of "brands"\."brands", .*1\.5 s at most, got server process/,
    )
    await other.end()
    await folder.remove()
  })

  test('reading the state of a target ends with exit code 5 if a lock is not released in time', async () => {
    const plan = planOf(300)
    await loadRows(plan, anyLoad, toRows(records))
    const other = await holdLock(`LOCK TABLE ${plan.target.schema}._catalogue_etl_runs`)
    expect(await failureOf(readTargetState(plan, 'config-1'))).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
    await other.end()
  })
})

describe.skipIf(skipsPostgres)('timeouts of a role, a database or the URL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
    await server.query(
      `CREATE ROLE timed LOGIN PASSWORD 'timed'; GRANT CREATE ON DATABASE "${server.database}" TO timed`,
    )
  })
  afterAll(() => server.stop())

  const planOf = (schema: string, parameters: Readonly<Record<string, string>> = {}): DatabaseOutputPlan => {
    const url = new URL(server.url.text)
    url.username = 'timed'
    url.password = 'timed'
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const target = { format: 'postgres', url: new DatabaseUrl(url.href), schema } as const
    return { target, pipeline: 'products', mode: 'merge', removed: 'drop', tables: modelTables }
  }

  /** Makes every statement that inserts products last. */
  async function slowDown({ target: { schema } }: DatabaseOutputPlan): Promise<void> {
    await server.query(
      `CREATE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NULL; END';
      CREATE TRIGGER slow BEFORE INSERT ON ${schema}.products FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.slow()`,
    )
  }

  test.each([
    ['ALTER ROLE … SET', () => 'ALTER ROLE timed SET statement_timeout = 300', {}],
    ['ALTER DATABASE … SET', (database: string) => `ALTER DATABASE "${database}" SET statement_timeout = 300`, {}],
    ['options of the URL', () => 'SELECT', { options: '-c statement_timeout=300' }],
    ['a parameter of the URL', () => 'SELECT', { statement_timeout: '300' }],
  ])('a statement_timeout by %s counts for loads, and is named', async (name, setting, parameters) => {
    const plan = planOf(`timeouts_${name.replaceAll(/\W/g, '').toLowerCase()}`, parameters)
    await loadRows(plan, anyLoad, toRows(records))
    await slowDown(plan)
    await server.query(setting(server.database))
    const failure = await failureOf(loadRows(plan, next, toRows(changed)))
    await server.query(`ALTER ROLE timed RESET ALL; ALTER DATABASE "${server.database}" RESET ALL`)
    expect(failure).toMatchObject({
      code: 'TARGET_FAILED',
      exitCode: 5,
      title: 'A timeout of the database ended the load',
    })
    expect(failure.message).toContain('(57014)')
    expect(failure.fix).toMatch(/^statement_timeout of this connection is 0\.3 s, which counts for loads, too\./)
  })

  test('an idle_in_transaction_session_timeout counts for loads while the source is slow, and is named', async () => {
    const plan = planOf('timeouts_idle', { options: '-c idle_in_transaction_session_timeout=300' })
    const output = await openDatabaseOutput(plan, anyLoad)
    await sleep(1500)
    const failure = await failureOf(giveRows(output, plan, anyLoad, toRows(records)))
    await output.discard()
    expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
    expect(failure.message).toContain('idle-in-transaction timeout (25P03)')
    expect(failure.fix).toMatch(/^idle_in_transaction_session_timeout of this connection is 0\.3 s/)
  })

  test('a load that is fast enough does not notice the timeouts of its role', async () => {
    const plan = planOf('timeouts_none', { options: '-c statement_timeout=60s -c lock_timeout=60s' })
    expect((await loadRows(plan, anyLoad, toRows(records))).changes.new).toBe(1)
  })
})
