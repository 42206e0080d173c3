import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput, readTargetState } from '../../../src/loads/databases/open-database.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { failureOf } from './failure-of.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, giveRows, loadRows } from './load-rows.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'

const records: ModelRecord[] = [{ id: 'A', name: 'aspirin', photos: ['a.jpg', 'b.jpg'], updatedAt: null }]

describe.skipIf(skipsPostgres)('loads into PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => (server = await startPostgres()))
  afterAll(() => server.stop())

  let number = 0
  const planOf = (url = server.url): DatabaseOutputPlan => ({
    target: { format: 'postgres', url, schema: `schema_${++number}` },
    pipeline: 'products',
    mode: 'merge',
    removed: 'drop',
    tables: modelTables,
  })
  const withUrl = (change: (url: URL) => void) => {
    const url = new URL(server.url.text)
    change(url)
    return new DatabaseUrl(url.href)
  }

  test('a message of PostgreSQL has no password in it', async () => {
    const wrong = 'wrong:secret/word'
    const urls = [
      withUrl((url) => (url.password = encodeURIComponent(wrong))),
      withUrl((url) => url.searchParams.set('password', wrong)),
      withUrl((url) => (url.pathname = `/${encodeURIComponent(server.password)}`)),
      withUrl((url) => (url.username = encodeURIComponent(server.password))),
      withUrl((url) => (url.port = '1')),
      withUrl((url) => url.searchParams.set('sslmode', 'verify-full')),
    ]
    for (const url of urls) {
      const failure = await failureOf(readTargetState(planOf(url), ''))
      expect(failure.code).toBe(new URL(url.text).port === '1' ? 'TARGET_FAILED' : 'TARGET_REFUSED')
      const texts = JSON.stringify([failure.message, failure.fix, failure.stack, failure.cause ?? null])
      for (const secret of [wrong, server.password].flatMap((text) => [text, encodeURIComponent(text)])) {
        const shownPath = url.shown
        expect(texts.replaceAll(shownPath, '')).not.toContain(secret)
      }
      expect(failure.message).toContain('could not be connected to')
    }
  })

  test('a mode of TLS that the driver of PostgreSQL warns of puts no text between the lines of a log', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error) => void warnings.push(warning)
    process.on('warning', listen)
    const failure = await failureOf(
      readTargetState(planOf(withUrl((url) => url.searchParams.set('sslmode', 'require'))), ''),
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(failure.message).toContain('The server does not support SSL connections')
    expect(warnings).toEqual([])
  })

  test('of two loads of one pipeline at once, the second is LOCKED and says which session has the lock', async () => {
    const plan = planOf()
    const first = await openDatabaseOutput(plan, anyLoad)
    const failure = await failureOf(openDatabaseOutput(plan, anyLoad, { lockWaitMs: 100 }))
    expect(failure).toMatchObject({ code: 'LOCKED', exitCode: 6 })
    expect(failure.message).toMatch(/got "catalogue-etl products" from 127\.0\.0\.1.* \(server process \d+\), since /)
    const waiting = openDatabaseOutput(plan, anyLoad, { lockWaitMs: 10_000 })
    await giveRows(first, plan, toRows(records))
    await first.commit()
    await first.discard()
    const second = await waiting
    expect(await giveRows(second, plan, toRows(records))).toMatchObject({ changes: { new: 0, unchanged: 1 } })
    await second.discard()
  })

  test('readers of PostgreSQL see the old rows until the commit, and never wait', async () => {
    const plan = planOf()
    const { schema } = plan.target
    await loadRows(plan, anyLoad, toRows(records))
    const output = await openDatabaseOutput(plan, { ...anyLoad, runId: 'run-2' })
    await giveRows(output, plan, toRows([{ id: 'B', name: null, photos: [], updatedAt: null }]))
    expect(await server.query(`SELECT id FROM ${schema}.products`)).toEqual([['A']])
    await output.commit()
    expect(await server.query(`SELECT id FROM ${schema}.products`)).toEqual([['B']])
    await output.discard()
  })

  test('a connection that the PostgreSQL server ends fails the load and nothing else', async () => {
    const plan = planOf()
    const output = await openDatabaseOutput(plan, anyLoad)
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'catalogue-etl products'`,
    )
    const failure = await failureOf(giveRows(output, plan, toRows(records)))
    expect(failure.code).toBe('TARGET_FAILED')
    await output.discard()
    expect((await loadRows(plan, anyLoad, toRows(records))).changes.new).toBe(1)
  })

  test('a commit whose answer PostgreSQL lost is asked after, and counts once', async () => {
    const proxy = await startCuttingProxy(server.url)
    const plan = planOf(proxy.url)
    const output = await openDatabaseOutput(plan, anyLoad)
    await giveRows(output, plan, toRows(records))
    proxy.cutAfter('COMMIT')
    await output.commit()
    await output.discard()
    expect((await readTargetState(plan, 'config-1')).last?.runId).toBe('run-1')
    // The same source once more, which has the same run id.
    const again = await openDatabaseOutput(plan, { ...anyLoad, startedAt: new Date('2026-03-02') })
    await giveRows(again, plan, toRows(records))
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'catalogue-etl products'`,
    )
    expect((await failureOf(again.commit())).code).toBe('TARGET_FAILED')
    await again.discard()
    await proxy.stop()
  })

  test('a value that does not fit its column in PostgreSQL is refused with its place', async () => {
    const plan = planOf()
    const rows = toRows(records)
    const failure = await failureOf(loadRows(plan, anyLoad, [rows[0] ?? [], [['A', 'many', 'url']], rows[2] ?? []]))
    expect(failure.message).toContain(
      'invalid input syntax for type bigint: "many"; COPY product_photos, line 1, column position',
    )
    expect(await readTargetState(plan, 'config-1')).toMatchObject({ last: null })
  })

  test('names that PostgreSQL would cut are refused', async () => {
    const long = 'x'.repeat(64)
    const tables = modelTables.map((table, at) => (at === 0 ? { ...table, name: long } : table))
    const failure = await failureOf(loadRows({ ...planOf(), tables }, anyLoad, toRows(records)))
    expect(failure).toMatchObject({ code: 'TARGET_MISMATCH' })
    expect(failure.message).toContain(`expected names of at most 63 bytes, got "${long}"`)
  })
})
