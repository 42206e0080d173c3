import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { readTargetState } from '../../../src/loads/databases/open-database.ts'
import { describePostgresFailure } from '../../../src/loads/databases/postgres/postgres-failure.ts'
import { failureOf } from './failure-of.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, loadRows } from './load-rows.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'

const records: ModelRecord[] = [{ id: 'A', name: null, photos: ['a.jpg'], updatedAt: null }]

const asLoader = (url: URL) => {
  url.username = 'loader'
  url.password = 'loader'
}

const load = (plan: DatabaseOutputPlan) => loadRows(plan, anyLoad, toRows(records))

const refusalOf = async (plan: DatabaseOutputPlan) => {
  const { code, exitCode, message, fix } = await failureOf(load(plan))
  expect({ code, exitCode }).toEqual({ code: 'TARGET_REFUSED', exitCode: 2 })
  expect(fix).toContain('a retry alone fails in the same way')
  return message
}

describe.skipIf(skipsPostgres)('a load that PostgreSQL refuses', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
    await server.query(
      `CREATE ROLE loader LOGIN PASSWORD 'loader'; GRANT CREATE ON DATABASE "${server.database}" TO loader`,
    )
  })
  afterAll(() => server.stop())

  let number = 0
  const planOf = (change: (url: URL) => void = () => undefined): DatabaseOutputPlan => {
    const url = new URL(server.url.text)
    change(url)
    const target = { format: 'postgres', url: new DatabaseUrl(url.href), schema: `refused_${++number}` } as const
    return { target, pipeline: 'products', mode: 'merge', removed: 'drop', tables: modelTables }
  }

  test.each<[string, (url: URL) => void, RegExp]>([
    ['a wrong password', (url) => (url.password = 'wrong'), /password authentication failed.*\(28P01\)/],
    ['no password', (url) => (url.password = ''), /password must be a/],
    ['a database that is not there', (url) => (url.pathname = '/nowhere'), /"nowhere" does not exist \(3D000\)/],
    ['a role that is not there', (url) => (url.username = 'nobody'), /\(28P01\)/],
    ['TLS that the server does not offer', (url) => url.searchParams.set('sslmode', 'verify-full'), /SSL/],
  ])('a load that PostgreSQL refuses ends with exit code 2 because of %s', async (_, change, words) => {
    expect(await refusalOf(planOf(change))).toMatch(words)
  })

  test('a load that PostgreSQL refuses ends with exit code 2 because the user may not create a schema', async () => {
    await server.query(`REVOKE CREATE ON DATABASE "${server.database}" FROM loader`)
    expect(await refusalOf(planOf(asLoader))).toMatch(/permission denied for database test_\S+ \(42501\)/)
    await server.query(`GRANT CREATE ON DATABASE "${server.database}" TO loader`)
  })

  test('a load that PostgreSQL refuses ends with exit code 2 because a table belongs to another role', async () => {
    const plan = planOf(asLoader)
    await load(plan)
    await server.query(`ALTER TABLE ${plan.target.schema}.products OWNER TO tester`)
    const failure = await failureOf(
      loadRows(plan, { ...anyLoad, runId: 'run-2' }, toRows([{ ...records[0]!, name: 'x' }])),
    )
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
    expect(failure.message).toContain('permission denied for table products (42501)')
  })

  test('a load that PostgreSQL refuses ends with exit code 2 because NOT NULL was added to a column', async () => {
    const plan = planOf()
    await load(plan)
    await server.query(
      `DELETE FROM ${plan.target.schema}.products; ALTER TABLE ${plan.target.schema}.products ALTER name SET NOT NULL`,
    )
    const failure = await failureOf(loadRows(plan, anyLoad, toRows(records)))
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
    expect(failure.message).toContain('null value in column "name"')
  })

  test('a load that PostgreSQL refuses ends with exit code 2 because the role may only read', async () => {
    await server.query('ALTER ROLE loader SET default_transaction_read_only = on')
    expect(await refusalOf(planOf(asLoader))).toMatch(/read-only transaction \(25006\)/)
    await server.query('ALTER ROLE loader RESET default_transaction_read_only')
  })

  test('a load that PostgreSQL refuses because a column has another type: TARGET_MISMATCH, exit code 2', async () => {
    const plan = planOf()
    await load(plan)
    await server.query(`ALTER TABLE ${plan.target.schema}.product_photos ALTER position TYPE text`)
    expect(await failureOf(load(plan))).toMatchObject({ code: 'TARGET_MISMATCH', exitCode: 2 })
  })

  test('a load ends with exit code 5 if PostgreSQL is not reached', async () => {
    expect(await failureOf(load(planOf((url) => (url.port = '1'))))).toMatchObject({
      code: 'TARGET_FAILED',
      exitCode: 5,
    })
  })

  test('a load that too many connections to PostgreSQL keep out ends with exit code 5', async () => {
    await server.query('ALTER ROLE loader CONNECTION LIMIT 0')
    const failure = await failureOf(load(planOf(asLoader)))
    expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
    expect(failure.message).toContain('(53300)')
    await server.query('ALTER ROLE loader CONNECTION LIMIT -1')
  })
})

test.each([
  ...[
    '08006',
    '40001',
    '40P01',
    '53100',
    '53200',
    '53300',
    '55P03',
    '57014',
    '57P01',
    '57P03',
    '58030',
    '25P03',
    'XX000',
  ].map((code) => [code, false] as const),
  ...['0A000', '22P02', '23502', '25006', '28P01', '3D000', '42501', '42P01', '53400', '54011', '57P04', 'XX001'].map(
    (code) => [code, true] as const,
  ),
])('SQLSTATE %s of PostgreSQL: whether another try ends the same way is %s', (code, isLasting) => {
  const thrown = Object.assign(new Error('no'), { code, severity: 'ERROR' })
  expect(describePostgresFailure(thrown)).toEqual({ said: `no (${code})`, sqlState: code, isLasting })
})

test.each([
  ['ECONNREFUSED', false],
  ['EPIPE', false],
  ['ENOTFOUND', false],
  ['CERT_HAS_EXPIRED', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
])('error %s of a connection to PostgreSQL: whether another try ends the same way is %s', (code, isLasting) => {
  const thrown = Object.assign(new Error('no'), { code })
  expect(describePostgresFailure(thrown)).toMatchObject({ sqlState: null, isLasting })
})

describe('a load that DuckDB refuses', () => {
  let folder: string
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'refused-'))))
  afterAll(async () => rm(folder, { recursive: true, force: true }))
  const planOf = (path: string): DatabaseOutputPlan => ({
    target: { format: 'duckdb', path: join(folder, path), schema: 'main' },
    pipeline: 'products',
    mode: 'merge',
    removed: 'drop',
    tables: modelTables,
  })

  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['a file of something else', (path) => writeFile(path, 'hello '.repeat(5000)), /not a valid DuckDB database/],
    ['a folder', (path) => mkdir(path), /Is a directory/],
  ])('a load that DuckDB refuses ends with exit code 2 because its path is that of %s', async (name, create, words) => {
    const plan = planOf(`${name}.duckdb`)
    await create(join(folder, `${name}.duckdb`))
    const failure = await failureOf(readTargetState(plan, ''))
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
    expect(failure.message).toMatch(words)
  })

  test('a load that DuckDB refuses ends with exit code 2 because a file is where a folder should be', async () => {
    await writeFile(join(folder, 'file'), '')
    const failure = await failureOf(loadRows(planOf('file/deeper/a.duckdb'), anyLoad, toRows(records)))
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', exitCode: 2 })
    expect(failure.message).toBe(`${join(folder, 'file')}: expected a folder, got a file`)
  })

  test.skipIf(process.getuid?.() === 0)(
    'a load that DuckDB refuses ends with exit code 2 because its folder may not be written',
    async () => {
      await mkdir(join(folder, 'closed'))
      await chmod(join(folder, 'closed'), 0o500)
      const failure = await failureOf(loadRows(planOf('closed/a.duckdb'), anyLoad, toRows(records)))
      expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
    },
  )

  test('a load that DuckDB refuses ends with exit code 2 because NOT NULL was added to a column', async () => {
    const plan = planOf('not-null.duckdb')
    await loadRows(plan, anyLoad, toRows(records))
    const instance = await DuckDBInstance.create(join(folder, 'not-null.duckdb'), { threads: '1' })
    const connection = await instance.connect()
    await connection.run('DELETE FROM products; ALTER TABLE products ALTER name SET NOT NULL')
    connection.closeSync()
    instance.closeSync()
    const failure = await failureOf(loadRows(plan, anyLoad, toRows(records)))
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
    expect(failure.message).toContain('NOT NULL constraint failed')
  })
})
