import { writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput, readTargetState } from '../../../src/loads/databases/open-database.ts'
import { BuiltCli } from '../../cli/built-cli.ts'
import { RunFolder } from '../../cli/run-folder.ts'
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

  test.each<[string, (url: URL) => void]>([
    ['a statement runs into its timeout', (url) => url.searchParams.set('statement_timeout', '1')],
    ['the driver has no password', (url) => (url.password = '')],
  ])('a command ends with its message, and holds no lock, when %s', async (_, change) => {
    const folder = await RunFolder.create()
    await folder.generate('brands.ndjson', 'v4/brand', 500)
    const schema = `hasty_${++number}`
    const configOf = (url: DatabaseUrl) =>
      folder.config('brands', 'brands.ndjson', `outputs: [{ format: postgres, url: "${url.text}", schema: ${schema} }]`)
    const cli = await BuiltCli.build()
    const config = await configOf(withUrl(change))
    const startedAt = performance.now()
    const { code, stderr } = await cli.start(['run', config], { cwd: folder.path }).end()
    expect({ code, stderr }).toEqual({ code: expect.toBeOneOf([2, 5]), stderr: expect.stringContaining('TARGET_') })
    expect(performance.now() - startedAt).toBeLessThan(8000)
    await configOf(server.url)
    expect(await cli.start(['run', config], { cwd: folder.path }).end()).toMatchObject({ code: 0 })
    await folder.remove()
  })

  test('a load into PostgreSQL works if pg_settings is revoked', async () => {
    await server.query(
      `CREATE ROLE plain LOGIN PASSWORD 'plain'; GRANT CREATE ON DATABASE "${server.database}" TO plain; REVOKE SELECT ON pg_settings FROM PUBLIC`,
    )
    const plan = planOf(withUrl((url) => Object.assign(url, { username: 'plain', password: 'plain' })))
    expect((await loadRows(plan, anyLoad, toRows(records))).changes.new).toBe(1)
  })

  test('a full load over many records compares each of them once, even if PostgreSQL has no statistics yet', async () => {
    const many = Array.from({ length: 10_000 }, (_, at): ModelRecord => ({
      id: `P${at}`,
      name: 'aspirin',
      photos: [],
      updatedAt: null,
    }))
    const plan = planOf(withUrl((url) => url.searchParams.set('statement_timeout', '2500')))
    await loadRows(plan, anyLoad, toRows(many))
    const again = await loadRows(plan, { ...anyLoad, runId: 'run-2' }, toRows(many))
    expect(again).toMatchObject({ changes: { unchanged: 10_000 }, rowsWritten: [0, 0] })
  })

  test('triggers and indexes of others are run with the search_path of the database, as without a load', async () => {
    const plan = planOf()
    const { schema } = plan.target
    await loadRows(plan, anyLoad, toRows(records))
    await server.query(
      `CREATE TABLE public.audit (id text); CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO audit VALUES (coalesce(NEW.id, OLD.id)); RETURN NULL; END';
      CREATE FUNCTION public.plain(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT lower($1)';
      CREATE FUNCTION public.folded(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN plain($1); END';
      CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON ${schema}.products FOR EACH ROW EXECUTE FUNCTION public.note();
      CREATE INDEX ON ${schema}.products (folded(name))`,
    )
    await loadRows(
      plan,
      { ...anyLoad, runId: 'run-2' },
      toRows(records.map((record) => ({ ...record, name: 'other' }))),
    )
    expect(await server.query('SELECT DISTINCT id FROM public.audit')).toEqual([['A']])
  })

  test('of several servers in an address a load takes the first that answers and can be written to', async () => {
    const { port, username, password } = new URL(server.url.text)
    const named = (hosts: string, parameters = '') =>
      new DatabaseUrl(`postgres://${username}:${password}@${hosts}/${server.database}${parameters}`)
    for (const url of [
      named(`127.0.0.1:1,127.0.0.1:${port}`),
      named(`127.0.0.1:${port},127.0.0.1:1`, '?target_session_attrs=read-write'),
      named('other', `?host=127.0.0.1,127.0.0.1&port=1,${port}&sslmode=prefer`),
    ])
      expect((await loadRows(planOf(url), anyLoad, toRows(records))).changes.new).toBe(1)
    const standby = named(`127.0.0.1:1,127.0.0.1:${port}`, '?target_session_attrs=standby')
    const failure = await failureOf(readTargetState(planOf(standby), ''))
    expect(failure.message).toMatch(
      /^postgres:\/\/127\.0\.0\.1:1,127\.0\.0\.1:\d+\/.*got one that is read-write, primary$/,
    )
    const refused = named(`127.0.0.1:${port},127.0.0.1:1`).text.replace(password, 'wrong')
    expect((await failureOf(readTargetState(planOf(new DatabaseUrl(refused)), ''))).message).toContain('(28P01)')
  })

  describe('a service of libpq', () => {
    let folder: RunFolder
    beforeAll(async () => {
      folder = await RunFolder.create()
      const { port, username } = new URL(server.url.text)
      const own = `[warehouse]\nhost=127.0.0.1\n port=${port}\nuser=${username}\npassword=${server.password}\ndbname=${server.database}\n`
      const others = '# of others\n[ware]\nhost=other.example.com\n[broken]\nhost\n\n'
      const wrong = '[wrong]\nuser=nobody\npassword=hidden-secret\nsslmode=disable\n'
      await writeFile(folder.at('service.conf'), others + own + wrong)
      await writeFile(folder.at('pg_service.conf'), own.replace('[warehouse]', '[of all]'))
    })
    beforeEach(() => {
      vi.stubEnv('PGSERVICEFILE', folder.at('service.conf'))
      vi.stubEnv('PGSYSCONFDIR', folder.path)
      // Variables count after the service.
      vi.stubEnv('PGHOST', 'unknown.example.com')
      vi.stubEnv('PGUSER', 'nobody')
    })
    afterEach(() => vi.unstubAllEnvs())
    afterAll(() => folder.remove())

    test.each([
      ['that the address names', () => 'postgres://?service=warehouse'],
      ['of the file of the whole system', () => 'postgres:///?service=of%20all'],
      ['that PGSERVICE names', () => `postgres:///${server.database}`, 'warehouse'],
    ])('%s says where a load into PostgreSQL goes', async (_, address, named = '') => {
      vi.stubEnv('PGSERVICE', named)
      expect((await loadRows(planOf(new DatabaseUrl(address())), anyLoad, toRows(records))).changes.new).toBe(1)
    })

    test('yields to the address of PostgreSQL itself, and its password is not shown', async () => {
      const parts = server.url.text.replace(/\?.*$/, '')
      expect(
        (await loadRows(planOf(new DatabaseUrl(`${parts}?service=wrong`)), anyLoad, toRows(records))).changes.new,
      ).toBe(1)
      const { port } = new URL(server.url.text)
      const refused = planOf(new DatabaseUrl(`postgres://127.0.0.1:${port}/${server.database}?service=wrong`))
      const { message } = await failureOf(readTargetState(refused, ''))
      expect(message).toMatch(/\?service=wrong, schema ".*nobody/)
      expect(message).not.toContain('hidden-secret')
    })

    test.each([
      ['nowhere', /expected service "nowhere" in .*service\.conf or .*pg_service\.conf, got none of that name$/],
      ['broken', /service\.conf, line 5: expected key=value, got something else$/],
    ])('that is not there or not readable ends a load with exit code 2: %s', async (service, message) => {
      const plan = planOf(new DatabaseUrl(`postgres://?service=${service}`))
      expect(await failureOf(readTargetState(plan, ''))).toMatchObject({
        code: 'TARGET_REFUSED',
        message: expect.stringMatching(message),
      })
    })
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
    await giveRows(first, plan, anyLoad, toRows(records))
    await first.commit()
    await first.discard()
    const second = await waiting
    expect(await giveRows(second, plan, anyLoad, toRows(records))).toMatchObject({ changes: { new: 0, unchanged: 1 } })
    await second.discard()
  })

  test('readers of PostgreSQL see the old rows until the commit, and never wait', async () => {
    const plan = planOf()
    const { schema } = plan.target
    await loadRows(plan, anyLoad, toRows(records))
    const load = { ...anyLoad, runId: 'run-2' }
    const output = await openDatabaseOutput(plan, load)
    await giveRows(output, plan, load, toRows([{ id: 'B', name: null, photos: [], updatedAt: null }]))
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
    const failure = await failureOf(giveRows(output, plan, anyLoad, toRows(records)))
    expect(failure.code).toBe('TARGET_FAILED')
    await output.discard()
    expect((await loadRows(plan, anyLoad, toRows(records))).changes.new).toBe(1)
  })

  test('a commit whose answer PostgreSQL lost is asked after, and counts once', async () => {
    const proxy = await startCuttingProxy(server.url)
    const plan = planOf(proxy.url)
    const output = await openDatabaseOutput(plan, anyLoad)
    await giveRows(output, plan, anyLoad, toRows(records))
    proxy.cutAfter('COMMIT')
    await output.commit()
    await output.discard()
    expect((await readTargetState(plan, 'config-1')).last?.runId).toBe('run-1')
    // The same source once more, which has the same run id.
    const next = { ...anyLoad, startedAt: new Date('2026-03-02') }
    const again = await openDatabaseOutput(plan, next)
    await giveRows(again, plan, next, toRows(records))
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
