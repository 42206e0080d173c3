import { beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { verifyTarget } from '../../../src/loads/databases/verify-target.ts'
import { failureOf } from './failure-of.ts'
import { modelTables, toRows } from './load-model.ts'
import { anyLoad, loadRows } from './load-rows.ts'
import { skipsMariadb, startMariadb, type MariadbServer } from './mariadb-server.ts'

const next = { ...anyLoad, runId: 'run-2', startedAt: new Date('2026-03-02T00:00:00Z') }
const rowsOf = (names: readonly string[]) =>
  toRows(names.map((name, at) => ({ id: `A${at}`, name, photos: ['x'], updatedAt: null })))
const tables = modelTables.map((table) => ({ ...table, name: table.name.replace(/^p/, 'P') }))

/** Settings that sessions may change, and those of a server whose file system tells no capitals apart. */
const settings = ['--lower-case-table-names=1', '--log-bin=log', '--binlog-format=MIXED', '--max-allowed-packet=1M']

describe.skipIf(skipsMariadb)('MariaDB with settings of its own', () => {
  let server: MariadbServer
  beforeAll(async () => (server = await startMariadb('mariadb-settings', settings)))

  let number = 0
  const planOf = (change: (url: URL) => void = () => undefined): DatabaseOutputPlan => {
    const address = new URL(server.url)
    const schema = `${server.database}_${++number}`
    address.pathname = `/${schema}`
    change(address)
    const target = { format: 'mariadb', url: new DatabaseUrl(address.href), schema } as const
    return { target, pipeline: 'products', mode: 'merge', removed: 'drop', tables: modelTables }
  }
  const namesOf = async ({ target }: DatabaseOutputPlan) =>
    (await server.query(`SELECT name FROM \`${target.schema}\`.products ORDER BY id`)).map(([name]) => name)
  const withSettings = async (set: string, reset: string, act: () => Promise<void>) => {
    await server.query(set)
    try {
      await act()
    } finally {
      await server.query(reset)
    }
  }

  test.each([
    ['sql_safe_updates=1', 'sql_safe_updates=0'],
    ['sql_select_limit=1', 'sql_select_limit=18446744073709551615'],
    ['sql_big_selects=0, GLOBAL max_join_size=1', 'sql_big_selects=1, GLOBAL max_join_size=18446744073709551615'],
    ['tx_read_only=1', 'tx_read_only=0'],
  ])('a server with %s takes every load', async (setting, usual) => {
    const plan = planOf()
    await withSettings(`SET GLOBAL ${setting}`, `SET GLOBAL ${usual}`, async () => {
      await loadRows(plan, anyLoad, rowsOf(['a', 'b', 'c']))
      const { changes } = await loadRows(plan, next, rowsOf(['a', 'changed']))
      expect(changes).toMatchObject({ changed: 1, unchanged: 1, removed: 1 })
    })
    expect(await namesOf(plan)).toEqual(['a', 'changed'])
  })

  test('a server whose binary log has statements is refused before anything is created, and told what to set', async () => {
    const plan = planOf()
    await withSettings(`SET GLOBAL binlog_format='STATEMENT'`, `SET GLOBAL binlog_format='MIXED'`, async () => {
      const failure = await failureOf(loadRows(plan, anyLoad, rowsOf(['a'])))
      expect(failure).toMatchObject({ code: 'TARGET_REFUSED', fix: expect.stringMatching(/binlog_format = 'MIXED'/) })
    })
    await loadRows(plan, anyLoad, rowsOf(['a']))
  })

  test('a row that fits into max_allowed_packet is loaded, also with shorter ones before it', async () => {
    const plan = planOf()
    const names = ['x'.repeat(250_000), 'é'.repeat(400_000)]
    await loadRows(plan, anyLoad, rowsOf(names))
    expect(await namesOf(plan)).toEqual(names)
    const failure = await failureOf(loadRows(plan, next, rowsOf(['x'.repeat(2 ** 20)])))
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', message: expect.stringMatching(/max_allowed_packet/) })
  })

  test('names of tables and databases with capitals are found again by a server that keeps none', async () => {
    const lower = planOf((url) => (url.pathname = url.pathname.toUpperCase()))
    const plan = {
      ...lower,
      target: { ...lower.target, schema: lower.target.schema.toUpperCase() },
      tables,
    } as DatabaseOutputPlan
    await loadRows(plan, anyLoad, rowsOf(['a', 'b']))
    const table = `\`${lower.target.schema}\`.products`
    await server.query(`ALTER TABLE ${table} ADD COLUMN note text; UPDATE ${table} SET note = 'of others'`)
    expect((await loadRows(plan, next, rowsOf(['a', 'c']))).rowsWritten).toEqual([2, 0])
    expect(await server.query(`SELECT name, note FROM ${table} ORDER BY id`)).toEqual([
      ['a', null],
      ['c', null],
    ])
    const verified = await verifyTarget({ ...plan, recordTables: new Set(['Products']) })
    expect(verified).toMatchObject({ differences: [], tables: [{ rows: 2 }, { rows: 2 }] })
    const failure = await failureOf(loadRows({ ...plan, pipeline: 'others' }, anyLoad, rowsOf(['d'])))
    expect(failure).toMatchObject({ code: 'TARGET_MISMATCH' })
  })

  test('a server that only reads ends a load with exit code 5, as it may write again', async () => {
    const plan = planOf((url) => {
      url.username = 'loader'
      url.password = 'loader'
    })
    await server.query(
      `CREATE USER loader@'%' IDENTIFIED BY 'loader'; GRANT ALL ON \`${plan.target.schema}\`.* TO loader@'%'`,
    )
    await loadRows(plan, anyLoad, rowsOf(['a']))
    await withSettings('SET GLOBAL read_only=1', 'SET GLOBAL read_only=0', async () => {
      const failure = await failureOf(loadRows(plan, next, rowsOf(['b'])))
      expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5, message: expect.stringMatching(/\(1290\)/) })
    })
  })

  test('a login that the driver lacks ends a load with exit code 2, and says which ones it has', async () => {
    await server.query(
      `INSTALL SONAME 'auth_ed25519'; CREATE USER signer@'%' IDENTIFIED VIA ed25519 USING PASSWORD('key')`,
    )
    const plan = planOf((url) => {
      url.username = 'signer'
      url.password = 'key'
    })
    const failure = await failureOf(loadRows(plan, anyLoad, rowsOf(['a'])))
    expect(failure).toMatchObject({
      code: 'TARGET_REFUSED',
      exitCode: 2,
      fix: expect.stringMatching(/mysql_native_password/),
    })
  })
})
