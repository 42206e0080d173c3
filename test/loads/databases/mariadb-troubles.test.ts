import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUrl } from '../../../src/config/database-url.ts'
import type { DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { describeMariadbFailure } from '../../../src/loads/databases/mariadb/mariadb-failure.ts'
import { openDatabaseOutput, readTargetState } from '../../../src/loads/databases/open-database.ts'
import type { Cell, Column, Row } from '../../../src/records/flatten/column.ts'
import { cases } from '../../depth.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { failureOf } from './failure-of.ts'
import { modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, giveRows, loadRows } from './load-rows.ts'
import { skipsMariadb, startMariadb, type MariadbServer } from './mariadb-server.ts'

const records: ModelRecord[] = ['A', 'B'].map((id) => ({ id, name: `name of ${id}`, photos: [], updatedAt: null }))
const rows = toRows(records)
const next = { ...anyLoad, runId: 'run-2', startedAt: new Date('2026-03-02T00:00:00Z') }
const changed = toRows(records.map((record) => ({ ...record, name: 'changed' })))

describe.skipIf(skipsMariadb)('MariaDB', () => {
  let server: MariadbServer
  beforeAll(async () => (server = await startMariadb()))
  afterAll(async () => server.query(`DROP USER IF EXISTS '${userOf(server)}'@'%'`))

  let number = 0
  const planOf = (change: (url: URL) => void = () => undefined, url = server.url): DatabaseOutputPlan => {
    const address = new URL(url)
    const schema = `${server.database}_${++number}`
    address.pathname = `/${schema}`
    change(address)
    const target = { format: 'mariadb', url: new DatabaseUrl(address.href), schema } as const
    return { target, pipeline: 'products', mode: 'merge', removed: 'drop', tables: modelTables }
  }
  const namesOf = async ({ target }: DatabaseOutputPlan) =>
    (await server.query(`SELECT name FROM \`${target.schema}\`.products ORDER BY id`)).map(([name]) => name)

  test.each<[string, (url: URL) => void, RegExp]>([
    ['a wrong password', (url) => (url.password = 'wr0ng-one'), /Access denied for user 'tester'.*\(1045\)/],
    [
      'TLS that the server does not offer',
      (url) => url.searchParams.set('ssl', 'no-verify'),
      /HANDSHAKE_NO_SSL_SUPPORT/,
    ],
    ['a file of authorities that is missing', toLost, /no such file/],
    [
      'TLS by an IP address, which no certificate names',
      (url) => url.searchParams.set('ssl', 'true'),
      /got an IP address/,
    ],
  ])('a load that MariaDB refuses ends with exit code 2 because of %s', async (_, change, words) => {
    const failure = await failureOf(loadRows(planOf(change), anyLoad, rows))
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2, message: expect.stringMatching(words) })
    expect(JSON.stringify([failure, failure.message])).not.toMatch(/wr0ng|top.{1,3}secret/)
  })

  test('a load ends with exit code 5 if MariaDB is not reached', async () => {
    const failure = await failureOf(
      loadRows(
        planOf((url) => (url.port = '1')),
        anyLoad,
        rows,
      ),
    )
    expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
  })

  test('a load that MariaDB refuses ends with exit code 2 because the user lacks a right, and needs no right on the server', async () => {
    const plan = planOf((url) => {
      url.username = userOf(server)
      url.password = 'loader'
    })
    const { schema } = plan.target
    await server.query(`CREATE USER '${userOf(server)}'@'%' IDENTIFIED BY 'loader'; CREATE DATABASE \`${schema}\``)
    const rights = 'CREATE, ALTER, INDEX, CREATE TEMPORARY TABLES, SELECT, INSERT, UPDATE'
    await server.query(`GRANT ${rights} ON \`${schema}\`.* TO '${userOf(server)}'@'%'`)
    await loadRows(plan, anyLoad, rows)
    const failure = await failureOf(loadRows(plan, next, changed))
    expect(failure).toMatchObject({ code: 'TARGET_REFUSED', exitCode: 2 })
    expect(failure.message).toMatch(/DELETE command denied .*\(1142\)/)
    expect(await namesOf(plan)).toEqual(['name of A', 'name of B'])
    await server.query(`GRANT DELETE ON \`${schema}\`.* TO '${userOf(server)}'@'%'`)
    await loadRows(plan, next, changed)
    expect(await namesOf(plan)).toEqual(['changed', 'changed'])
  })

  test.each([
    [
      'a table of the engine MyISAM',
      'CREATE TABLE $ (id varchar(512)) ENGINE=MyISAM',
      /got a table of the engine MyISAM/,
    ],
    ['a view', 'CREATE VIEW $ AS SELECT 1 AS id', /got a view/],
    [
      'a column that compares texts in another way',
      'CREATE TABLE $ (id varchar(512) COLLATE utf8mb4_general_ci)',
      /expected longtext, got varchar\(512\) COLLATE utf8mb4_general_ci/,
    ],
    [
      'a column that drops blanks at the end',
      'CREATE TABLE $ (id char(200) COLLATE utf8mb4_nopad_bin)',
      /expected longtext, got char\(200\)/,
    ],
    [
      'a column whose name differs in capitals',
      'CREATE TABLE $ (id varchar(512) COLLATE utf8mb4_nopad_bin, NAME longtext COLLATE utf8mb4_nopad_bin)',
      /column "name": expected this name or none like it, got "NAME"/,
    ],
  ])('a load is refused if %s is in the place of a table', async (_, sql, words) => {
    const plan = planOf()
    const { schema } = plan.target
    await server.query(`CREATE DATABASE \`${schema}\`; ${sql.replace('$', `\`${schema}\`.products`)}`)
    const failure = await failureOf(loadRows(plan, anyLoad, rows))
    expect(failure).toMatchObject({ code: 'TARGET_MISMATCH', exitCode: 2, message: expect.stringMatching(words) })
  })

  test('a statement that an error shows can be run by a client as it is', async () => {
    const plan = planOf()
    await loadRows(plan, anyLoad, rows)
    const table = `\`${plan.target.schema}\`.products`
    await server.query(`ALTER TABLE ${table} MODIFY updated_at datetime`)
    const { fix } = await failureOf(loadRows(plan, next, rows))
    await server.query(fix.replace(/^[^:]*: /, ''))
    expect((await loadRows(plan, next, rows)).changes.unchanged).toBe(2)
  })

  test('a column of the type json is compared by its text, and so is a list in it', async () => {
    const columns: Column[] = [
      { name: 'id', type: { kind: 'text' }, list: false },
      { name: 'facts', type: { kind: 'json' }, list: false },
      { name: 'names', type: { kind: 'text' }, list: true },
    ]
    const plan = { ...planOf(), tables: [{ name: 'products', columns, idColumn: 'id', positionColumns: [] }] }
    const table = `\`${plan.target.schema}\`.products`
    const id = 'id varchar(512) COLLATE utf8mb4_nopad_bin PRIMARY KEY'
    await server.query(
      `CREATE DATABASE \`${plan.target.schema}\`; CREATE TABLE ${table} (${id}, facts json, names json)`,
    )
    const load = (loaded: typeof anyLoad, facts: string, names: string[]) =>
      loadRows(plan, loaded, [[['A', facts, names]], [['A', facts, null, null, null]]])
    await load(anyLoad, '{"a":1}', ['x'])
    expect((await load(next, '{"a": 1}', ['x'])).rowsWritten).toEqual([1])
    expect((await load({ ...next, runId: 'run-3' }, '{"a": 1}', ['y'])).rowsWritten).toEqual([1])
    expect((await load({ ...next, runId: 'run-4' }, '{"a": 1}', ['y'])).rowsWritten).toEqual([0])
    expect(await server.query(`SELECT facts, names FROM ${table}`)).toEqual([['{"a": 1}', '["y"]']])
  })

  test('ids that differ in case, in an accent or in a blank at the end are three records', async () => {
    const plan = planOf()
    const ids = ['a', 'A', 'á', 'a ', 'a\t']
    const all = toRows(ids.map((id) => ({ id, name: id, photos: [], updatedAt: null })))
    expect((await loadRows(plan, anyLoad, all)).changes.new).toBe(ids.length)
    expect((await loadRows(plan, next, all)).changes).toMatchObject({ new: 0, unchanged: ids.length })
    const found = await server.query(`SELECT id FROM \`${plan.target.schema}\`.products`)
    expect(new Set(found.flat())).toEqual(new Set(ids))
  })

  test('a row that another session has locked ends the load after lockTimeout, with that session, and changes nothing', async () => {
    const plan = planOf()
    await loadRows(plan, anyLoad, rows)
    const held = { ...plan, target: { ...plan.target, lockTimeoutMs: 1000 } } as DatabaseOutputPlan
    const table = `\`${plan.target.schema}\`.products`
    const locking = server.query(`BEGIN; SELECT * FROM ${table} FOR UPDATE; SELECT sleep(3)`)
    await expect.poll(() => countOpen(server), { timeout: 5000 }).toBe('1')
    const failure = await failureOf(loadRows(held, next, changed))
    expect(failure).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5, title: 'A database was locked for too long' })
    expect(failure.message).toMatch(/with session \d+ of "tester" from/)
    await locking
    expect(await namesOf(plan)).toEqual(['name of A', 'name of B'])
  })

  test('a new column waits for a reader of the table, whom it names, and comes when he is done', async () => {
    const [products, photos] = modelTables as [(typeof modelTables)[0], (typeof modelTables)[0]]
    const narrow = { ...products, columns: products.columns.filter(({ name }) => name !== 'name') }
    const plan = { ...planOf(), tables: [narrow, photos] }
    const withoutName = (rows[0] ?? []).map(([id, , ...rest]) => [id, ...rest] as Row)
    await loadRows(plan, anyLoad, [withoutName, ...rows.slice(1)])
    const table = `\`${plan.target.schema}\`.products`
    const reading = server.query(`BEGIN; SELECT * FROM ${table}; SELECT sleep(3)`)
    await expect.poll(() => countOpen(server), { timeout: 5000 }).toBe('1')
    const warnings: string[] = []
    await loadRows({ ...plan, tables: modelTables }, { ...next, configHash: 'config-2' }, rows, {
      onWarning: (message) => warnings.push(message),
    })
    await reading
    expect(warnings[0]).toMatch(/waits for a lock, 60 s at most, got /)
    expect(await namesOf(plan)).toEqual(['name of A', 'name of B'])
  })

  test('after a load that died with a column added again and no row in it, the next load has to be a full one', async () => {
    const plan = planOf()
    await loadRows(plan, anyLoad, rows)
    await server.query(`ALTER TABLE \`${plan.target.schema}\`.products DROP COLUMN name`)
    const dying = await openDatabaseOutput(plan, next)
    await giveRows(dying, plan, next, rows)
    await dying.discard()
    expect(await namesOf(plan)).toEqual([null, null])
    expect((await readTargetState(plan, 'config-1')).needsFull).toBe('the last load had another config')
    await loadRows(plan, next, rows)
    expect(await namesOf(plan)).toEqual(['name of A', 'name of B'])
    expect((await readTargetState(plan, 'config-1')).needsFull).toBeNull()
  })

  test('a second load of a pipeline in MariaDB is LOCKED, and the first goes on', async () => {
    const plan = planOf()
    const first = await openDatabaseOutput(plan, anyLoad)
    const second = await failureOf(openDatabaseOutput(plan, anyLoad, { lockWaitMs: 300 }))
    expect(second).toMatchObject({
      code: 'LOCKED',
      exitCode: 6,
      message: expect.stringMatching(/got session \d+ from/),
    })
    await giveRows(first, plan, anyLoad, rows)
    await first.commit()
    await first.discard()
    expect(await namesOf(plan)).toEqual(['name of A', 'name of B'])
  })

  test('a load of MariaDB whose commit has no answer looks for its outcome, and finds it', async () => {
    const proxy = await startCuttingProxy(new DatabaseUrl(server.url))
    const plan = planOf(() => undefined, proxy.url.text)
    const output = await openDatabaseOutput(plan, anyLoad)
    await giveRows(output, plan, anyLoad, rows)
    proxy.cutAfter('COMMIT')
    await output.commit()
    await output.discard()
    expect((await readTargetState(plan, 'config-1')).last?.runId).toBe('run-1')
    await proxy.stop()
  })

  test('MariaDB loads every cell of every type unchanged, as its own client reads it', async () => {
    const columns: Column[] = [
      { name: 'id', type: { kind: 'text' }, list: false },
      ...kinds.map(({ column }) => column),
    ]
    const tables = [{ name: 'cells', columns, idColumn: 'id', positionColumns: [] }]
    const anyRows = fc.array(fc.tuple(...kinds.map(({ cells }) => fc.option(cells))), { minLength: 50, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(anyRows, async (all) => {
        const plan = { ...planOf(), tables }
        const given = all.map((cells, at) => [String(at), ...cells] as Row)
        const known = given.map(([id]) => [id, '1', null, null, null] as unknown as Row)
        await loadRows(plan, anyLoad, [given, known])
        const read = kinds.map((kind) => kind.read?.(`\`${kind.column.name}\``) ?? `\`${kind.column.name}\``)
        const found = await server.query(
          `SELECT ${read.join(', ')} FROM \`${plan.target.schema}\`.cells ORDER BY CAST(id AS integer)`,
        )
        const cells = found.map((row) =>
          row.map((cell, at) => (cell === null ? null : (kinds[at] as Kind).parse(cell))),
        )
        expect(cells).toEqual(all)
      }),
      { numRuns: cases(10, 2), endOnFailure: true },
    )
  })
})

test.each([
  ...[1020, 1040, 1047, 1114, 1205, 1213, 1226, 1290, 1317, 1836, 1927].map((code) => [code, false] as const),
  ...[1044, 1045, 1062, 1064, 1118, 1142, 1146, 1366, 1406].map((code) => [code, true] as const),
])('error %s of MariaDB: whether another try ends the same way is %s', (errno, isLasting) => {
  const thrown = Object.assign(new Error('no'), { code: 'ER', errno, sqlState: '42000', sqlMessage: 'no' })
  expect(describeMariadbFailure(thrown)).toEqual({ said: `no (${errno})`, code: errno, isLasting })
})

interface Kind {
  readonly column: Column
  readonly cells: fc.Arbitrary<Exclude<Cell, null>>
  readonly parse: (text: string) => unknown
  readonly read?: (name: string) => string
}

const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', '').toWellFormed())
const kind = (type: Column['type'], cells: Kind['cells'], parse: Kind['parse'], read?: Kind['read']): Kind => ({
  column: { name: type.kind, type, list: false },
  cells,
  parse,
  ...(read && { read }),
})
/** MariaDB has no negative zero. */
const floats = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value))
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const scalars: readonly Kind[] = [
  // Clients write no control character as it is.
  kind(
    { kind: 'text' },
    text,
    (read) => Buffer.from(read, 'hex').toString(),
    (name) => `HEX(${name})`,
  ),
  kind({ kind: 'json' }, fc.json(), (read) => read),
  kind({ kind: 'integer' }, int64, BigInt),
  kind({ kind: 'float' }, floats, Number),
  kind({ kind: 'boolean' }, fc.boolean(), (read) => read === '1'),
  kind(
    { kind: 'timestamp' },
    fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
    Number,
    (name) => `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${name}) DIV 1000`,
  ),
  kind(
    { kind: 'date' },
    fc.integer({ min: -719_162, max: 2_932_896 }),
    Number,
    (name) => `DATEDIFF(${name}, '1970-01-01')`,
  ),
  kind(
    { kind: 'decimal', precision: 38, scale: 4 },
    fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
    (read) => BigInt(read.replace('.', '')),
  ),
]
const listOf = ({ column, cells }: Kind): Kind => ({
  column: { ...column, name: `${column.name}_list`, list: true },
  cells: fc.array(fc.option(cells as fc.Arbitrary<string>), { maxLength: 4 }),
  parse: (read) => JSON.parse(Buffer.from(read, 'hex').toString()) as unknown,
  read: (name) => `HEX(${name})`,
})
const kinds: readonly Kind[] = [
  ...scalars,
  listOf(scalars[0] as Kind),
  listOf(kind({ kind: 'boolean' }, fc.boolean(), String)),
  listOf(kind({ kind: 'integer' }, fc.integer(), String)),
]

/** Names a file of authorities that is missing. */
function toLost(url: URL): void {
  url.hostname = 'localhost'
  url.searchParams.set('sslca', '/nowhere/ca.pem')
}

function userOf({ database }: MariadbServer): string {
  return `loader_${database.slice(-12)}`
}

/** The number of sessions that sleep within their transaction. */
async function countOpen(server: MariadbServer): Promise<string | null | undefined> {
  const sleeping = `SELECT count(*) FROM information_schema.processlist WHERE state = 'User sleep' AND db = '${server.database}'`
  return (await server.query(sleeping))[0]?.[0]
}
