import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChangeKind } from '../../../src/sandbox/days/change-log.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { skipsPostgres } from '../../loads/databases/postgres-server.ts'
import { cases } from '../../depth.ts'
import { ExpectedWarehouse, toLoad, toProduct, type NightLoad } from './month-oracle.ts'
import { modes, MonthWarehouse, places, status, tableNames, toLines } from './month-warehouse.ts'

const lastNight = cases(30, 3)
/** The night of a delta; the process dies while one database has committed its load, and nothing else has. */
const killedNight = cases(10, 1)
const daysBetweenFullReads = cases(7, 2)
/** The night of a run that would have read everything; the service fails. */
const failedNight = daysBetweenFullReads * cases(3, 1)
/** The first one, full ones, one after most of the catalogue was touched, those around the crashes, and the last. */
const comparedNights = new Set([0, 4, 7, killedNight, killedNight + 1, failedNight, failedNight + 1, lastNight])

const timeout = 300_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const products = 300
const seed = 8
/** In the future, so that no clock but the sandbox's is taken for now. */
const start = Date.UTC(2050, 0, 1, 2)

/** In the order of the outputs. Each database commits by itself; the files are published together. */
const targets = modes.flatMap((mode) => places.map((place) => ({ place, mode, expected: new ExpectedWarehouse() })))

let sandbox: Sandbox
let warehouse: MonthWarehouse
/** By the runs that were published. */
let lastFullAt: number | null = null
let syncedUntil = 0

describe.skipIf(skipsPostgres)('a month of nights with changes, touches, removals and two crashes', () => {
  beforeAll(async () => {
    sandbox = await startSandbox({ products, seed, rateLimit: false, now: () => start })
    warehouse = await MonthWarehouse.create(sandbox, daysBetweenFullReads)
  })
  afterAll(async () => {
    await warehouse.remove()
    await sandbox.close()
  })

  test(
    'after a month of nights files, DuckDB and PostgreSQL hold what the change log says, merged and as history',
    { timeout },
    async () => {
      for (let night = 0; night <= lastNight; night++) {
        if (night > 0) sandbox.advance()
        const load = nextLoad()
        const before = sandbox.requests.length
        const { found, expected } = await runNight(night, load)
        const asked = sandbox.requests.slice(before).map(({ body }) => (body as { filter?: unknown }).filter)
        const filter = load.since === null ? { status: [status] } : { updatedSince: load.since / 1000 }
        expect({ ...found, asked }, `night ${night}`).toEqual({
          ...expected,
          asked: night === failedNight ? [filter, filter] : [filter],
        })
        if (comparedNights.has(night)) await expectTables(`night ${night}`)
      }
    },
  )

  test('the simulated month has every kind of change', () => {
    const { changes } = sandbox
    const counts = kinds.map((kind) => changes.filter((change) => change.kind === kind).length)
    // Three nights have not all of them.
    expect(counts.filter((count) => count > cases(5, 0)).length).toBeGreaterThanOrEqual(cases(kinds.length, 4))
    // In the second in which the run before began, which had seen them as they were.
    expect(changes.filter(({ day, at }) => at === toStart(day)).length).toBeGreaterThan(cases(10, 0))
    // The service was late to show them: what the overlap is for.
    expect(changes.filter(({ day, at }) => at < toStart(day)).length).toBeGreaterThanOrEqual(cases(3, 0))
    for (const { expected } of targets) {
      expect(expected.countVersioned(2)).toBeGreaterThan(cases(80, 3))
      expect(expected.countVersioned(3)).toBeGreaterThanOrEqual(cases(16, 0))
      expect(expected.countReturned()).toBeGreaterThanOrEqual(cases(5, 0))
    }
  })

  test('a night without changes leaves every data file unchanged', { timeout }, async () => {
    const before = await warehouse.hashFiles()
    const load = nextLoad()
    expect(load.here.length).toBeGreaterThanOrEqual(cases(1, 0))
    const { state, databases = [] } = await warehouse.run()
    const unchanged = { new: 0, changed: 0, touched: 0, unchanged: load.here.length, removed: 0 }
    expect(state).toMatchObject({ kind: 'delta', changes: unchanged })
    expect(databases.map(({ changes }) => changes)).toEqual(Array.from({ length: 6 }, () => unchanged))
    const after = await warehouse.hashFiles()
    for (const name of ['_manifest.json', '_profile.json', '_report.html']) delete after[name]
    expect(before).toMatchObject(after)
    await expectTables('after a night without changes')
  })

  test('a sudden loss fails the run, and nothing is published anywhere', { timeout }, async () => {
    const { now } = sandbox
    const half = await startSandbox({ products: products / 2, seed, rateLimit: false, now })
    try {
      const before = await warehouse.hashFiles()
      for (const outputs of warehouse.listShares()) {
        const error = await warehouse.fail(warehouse.config(outputs, half.baseUrl), { fullRefresh: true })
        expect(error).toMatchObject({ code: 'REMOVED_TOO_MANY', exitCode: 3 })
      }
      const { '_report.failed.html': page, ...others } = await warehouse.hashFiles()
      expect(page).toBeDefined()
      expect(others).toEqual(before)
      await expectTables('after a loss')
    } finally {
      await half.close()
    }
  })
})

/** Works out what the next run has to bring, by the runs that were published before. */
function nextLoad(): NightLoad & { readonly since: number | null } {
  const startedAt = sandbox.now()
  const isFull = lastFullAt === null || startedAt >= lastFullAt + daysBetweenFullReads * dayMs
  const since = isFull ? null : syncedUntil - hourMs
  return { ...toLoad([...sandbox.productsOn()].map(toProduct), { status, since, startedAt }), since }
}

/** Runs one night; returns what it reports, and what it has to report. */
async function runNight(night: number, load: NightLoad): Promise<{ found: object; expected: object }> {
  if (night === killedNight) {
    await warehouse.killWhileCommitting()
    targets.find(({ place, mode }) => place === 'duckdb' && mode === modes[0])?.expected.load(load)
    return { found: {}, expected: {} }
  }
  if (night === failedNight) {
    sandbox.inject({ endpoint: 'v4/products/stream', fault: 'cut=60.5', times: 2 })
    const { exitCode } = await warehouse.fail()
    return { found: { exitCode }, expected: { exitCode: 4 } }
  }
  const { state, databases = [] } = await warehouse.run()
  const loaded = targets.map(({ place, expected }) => ({ place, changes: expected.load(load) }))
  syncedUntil = load.startedAt
  if (load.kind === 'full') lastFullAt = load.startedAt
  const inFiles = loaded.find(({ place }) => place === 'parquet')?.changes
  const inDatabases = loaded.filter(({ place }) => place !== 'parquet').map(({ changes }) => changes)
  return {
    found: { kind: state.kind, inFiles: state.changes, inDatabases: databases.map(({ changes }) => changes) },
    expected: { kind: load.kind, inFiles, inDatabases },
  }
}

async function expectTables(when: string): Promise<void> {
  for (const { place, mode, expected } of targets) {
    const found = await warehouse.read(place, mode)
    for (const table of tableNames) {
      expect(found[table], `${when}: ${table}, ${mode}, ${place}`).toEqual(toLines(expected.rows(table, mode), place))
    }
  }
}

/** Unix seconds. */
function toStart(day: number): number {
  return (start + (day - 1) * dayMs) / 1000
}

const kinds: readonly ChangeKind[] = [
  'new',
  'changed',
  'touched',
  'inactive',
  'replaced',
  'deleted',
  'activated',
  'vanished',
  'returned',
]
