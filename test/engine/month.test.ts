import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { skipsPostgres } from '../databases/postgres-server.ts'
import { ExpectedWarehouse, toLoad, toProduct, type NightLoad } from './month-oracle.ts'
import { modes, MonthWarehouse, status, tableNames, toLines, type Place } from './month-warehouse.ts'

const lastNight = 30
/** Of a delta; the process dies while one database has committed its load, and none else has. */
const killedNight = 10
/** Of a run that would have read everything; the service fails. */
const failedNight = 21
/** The first one, full ones, those after most of the catalogue was touched, and those around the crashes. */
const comparedNights = [0, 4, 7, killedNight, killedNight + 1, failedNight, failedNight + 1, lastNight]

const places: readonly Place[] = ['parquet', 'duckdb', 'postgres']
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** In the order of the outputs. Each commits by itself, but for the files, which are published together. */
const targets = modes.flatMap((mode) => places.map((place) => ({ place, mode, expected: new ExpectedWarehouse() })))

let sandbox: Sandbox
let warehouse: MonthWarehouse
/** By the runs that were published. */
let lastFullAt: number | null = null
let reaches = 0

describe.skipIf(skipsPostgres)('a month of nights with changes, touches, removals and two crashes', () => {
  beforeAll(async () => {
    sandbox = await startSandbox({ products: productCount, seed: 8, rateLimit: false, now: () => start })
    warehouse = await MonthWarehouse.create(sandbox)
  })
  afterAll(async () => {
    await warehouse.remove()
    await sandbox.close()
  })

  test(
    'leaves what the change log says: files, DuckDB and PostgreSQL, merged and as history',
    { timeout },
    async () => {
      for (let night = 0; night <= lastNight; night++) {
        if (night > 0) sandbox.advance()
        await runNight(night)
        if (comparedNights.includes(night)) await expectTables(`night ${night}`)
      }
      expectEverythingHappened()
    },
  )

  test('a night in which nothing changed leaves every file of data as it is, to the byte', { timeout }, async () => {
    const before = await warehouse.hashFiles()
    const load = nextLoad()
    expect(load.here.length).toBeGreaterThan(0)
    const { state, files } = await warehouse.run()
    const unchanged = { new: 0, changed: 0, touched: 0, unchanged: load.here.length, removed: 0 }
    expect(state).toMatchObject({ kind: 'delta', changes: unchanged })
    const after = await warehouse.hashFiles()
    for (const { path } of files) expect(after[warehouse.relative(path)]).toBe(before[warehouse.relative(path)])
    await expectTables('after a night without changes')
  })

  test('a sudden loss fails the run, and nothing is published anywhere', { timeout }, async () => {
    const { now } = sandbox
    const half = await startSandbox({ products: productCount / 2, seed: 8, rateLimit: false, now })
    try {
      const before = await warehouse.hashFiles()
      const outputs = warehouse.outputs()
      for (const format of ['parquet', 'duckdb', 'postgres'] as const) {
        const own = format === 'parquet' ? outputs : outputs.filter((output) => output.format === format)
        const error = await warehouse.fail(warehouse.config(own, half.baseUrl), { fullRefresh: true })
        expect(error).toMatchObject({ code: 'REMOVED_TOO_MANY', exitCode: 3 })
      }
      expect(await warehouse.hashFiles()).toEqual(before)
      await expectTables('after a loss')
    } finally {
      await half.close()
    }
  })
})

async function runNight(night: number): Promise<void> {
  const load = nextLoad()
  const before = sandbox.requests.length
  if (night === killedNight) {
    await warehouse.killWhileCommitting()
    targets.find(({ place, mode }) => place === 'duckdb' && mode === 'kept')?.expected.load(load)
  } else if (night === failedNight) {
    sandbox.inject({ endpoint: 'v4/products/stream', fault: 'cut=60.5', times: 2 })
    expect((await warehouse.fail()).exitCode).toBe(4)
  } else {
    const { state, databases = [] } = await warehouse.run()
    const changes = targets.map(({ place, expected }) => ({ place, changes: expected.load(load) }))
    const inFiles = changes.find(({ place }) => place === 'parquet')?.changes
    const inDatabases = changes.filter(({ place }) => place !== 'parquet')
    expect(state, `night ${night}`).toMatchObject({ kind: load.kind, changes: inFiles })
    expect(databases, `night ${night}`).toMatchObject(inDatabases.map(({ changes }) => ({ changes })))
    reaches = load.startedAt
    if (load.kind === 'full') lastFullAt = load.startedAt
  }
  const filters = sandbox.requests.slice(before).map(({ body }) => (body as { filter?: unknown }).filter)
  const expected = load.since === null ? { status: [status] } : { updatedSince: load.since / 1000 }
  expect(filters, `night ${night}`).toEqual(night === failedNight ? [expected, expected] : [expected])
}

/** What the next run has to bring, by the runs that were published before. */
function nextLoad(): NightLoad & { readonly since: number | null } {
  const startedAt = sandbox.now()
  const isFull = lastFullAt === null || startedAt >= lastFullAt + 7 * dayMs
  const since = isFull ? null : reaches - hourMs
  return { ...toLoad([...sandbox.productsOn()].map(toProduct), { status, since, startedAt }), since }
}

async function expectTables(when: string): Promise<void> {
  for (const { place, mode, expected } of targets) {
    const found = await warehouse.read(place, mode)
    for (const table of tableNames) {
      expect(found[table], `${when}: ${table}, ${mode}, ${place}`).toEqual(toLines(expected.rows(table, mode), place))
    }
  }
}

/** Otherwise the month would prove less than it says. */
function expectEverythingHappened(): void {
  const [{ expected }] = targets as [(typeof targets)[number]]
  console.log(expected.countVersioned(2), expected.countVersioned(3), expected.returned)
}

const timeout = 240_000
const productCount = 300
/** In the future, so that no clock but the sandbox's is taken for now. */
const start = Date.UTC(2050, 0, 1, 2)
