import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someOf } from '../../depth.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import type { DatabaseLoad, DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import { openDatabaseOutput, readTargetState } from '../../../src/loads/databases/open-database.ts'
import { toCatalogueError } from '../../../src/errors.ts'
import type { Row } from '../../../src/records/flatten/column.ts'
import { failureOf } from './failure-of.ts'
import { LoadModel, modelTables, toRows, type ModelRecord } from './load-model.ts'
import { anyLoad, giveRows, loadRows } from './load-rows.ts'
import { readLines, startDatabase, testedFormats } from './targets.ts'

const day = 86_400_000
const start = anyLoad.startedAt.getTime()
const records: ModelRecord[] = Array.from({ length: 20 }, (_, at) => ({
  id: `P${at}`,
  name: `product ${at}`,
  photos: [`${at}.jpg`],
  updatedAt: start - day,
}))
const later: DatabaseLoad = {
  ...anyLoad,
  kind: 'delta',
  runId: 'run-2',
  startedAt: new Date(start + day),
  since: new Date(start),
  syncedUntil: new Date(start + day),
}

const withType = (kind: 'integer' | 'float'): KeyedTable[] =>
  modelTables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => (column.name === 'position' ? { ...column, type: { kind } } : column)),
  }))

describe.each(testedFormats)('%s', (format) => {
  let database: Awaited<ReturnType<typeof startDatabase>>
  beforeAll(async () => (database = await startDatabase(format)))
  afterAll(() => database.stop())

  const planOf = (changes: Partial<DatabaseOutputPlan> = {}): DatabaseOutputPlan => ({
    target: database.createTarget(),
    pipeline: 'products',
    mode: 'merge',
    removed: 'drop',
    tables: modelTables,
    ...changes,
  })
  const countOf = async ({ target }: DatabaseOutputPlan, table = 'products') =>
    Number((await database.query(target, `SELECT count(*) FROM "${target.schema}"."${table}"`))[0]?.[0])

  test('a column of another type in a database is refused with the statement that changes it, which does', async () => {
    const plan = planOf({ tables: withType('float') })
    await loadRows(plan, anyLoad, toRows(records))
    const mended = { ...plan, tables: modelTables }
    const { code, message, fix } = await failureOf(loadRows(mended, anyLoad, toRows(records)))
    expect([code, message]).toEqual([
      'TARGET_MISMATCH',
      expect.stringMatching(/table .*product_photos", column "position": expected bigint, got double( precision)?$/i),
    ])
    await database.query(plan.target, fix.replace(/^[^:]*: /, ''))
    const { changes } = await loadRows(mended, { ...anyLoad, runId: 'again' }, toRows(records))
    expect(changes).toMatchObject({ new: 0, unchanged: 20 })
    expect(await countOf(plan, 'product_photos')).toBe(20)
  })

  test('a new column of a table in a database is added, by a full load that fills it for every record', async () => {
    const plan = planOf({ tables: modelTables.map((table) => ({ ...table, columns: table.columns.slice(0, -1) })) })
    await loadRows(
      plan,
      anyLoad,
      toRows(records).map((rows, at) => (at < 2 ? rows.map((row) => row.slice(0, -1)) : rows)),
    )
    const wider = { ...plan, tables: modelTables }
    const state = await readTargetState(wider, 'config-2')
    expect(state).toMatchObject({
      last: { runId: 'run-1', syncedUntil: anyLoad.syncedUntil },
      needsFull: 'the last load had another config',
    })
    const refused = await failureOf(loadRows(wider, { ...later, configHash: 'config-2' }, toRows([])))
    expect(refused).toMatchObject({ code: 'TARGET_FAILED', exitCode: 5 })
    expect(refused.fix).toContain('Run again')
    const load = { ...later, kind: 'full', configHash: 'config-2' } as const
    const { changes } = await loadRows(wider, load, toRows(records))
    expect(changes).toEqual({ new: 0, changed: 0, touched: 0, unchanged: 20, removed: 0 })
    const model = new LoadModel(plan)
    model.load(records, anyLoad)
    const tables = modelTables.map(({ name, columns }) => readLines(database, plan.target, name, columns))
    expect(await Promise.all(tables)).toEqual(model.tables)
  })

  test('a delta of a database joins on to the last load or is refused', async () => {
    const plan = planOf()
    expect(await readTargetState(plan, 'config-1')).toEqual({
      last: null,
      differences: [],
      needsFull: 'the target has no state of this pipeline yet',
    })
    const messages: string[] = []
    messages.push((await failureOf(loadRows(plan, later, toRows(records)))).message)
    await loadRows(plan, anyLoad, toRows(records))
    const gap = { ...later, since: new Date(start + 1) }
    messages.push((await failureOf(loadRows(plan, gap, toRows([])))).message)
    expect(messages).toEqual([
      expect.stringMatching(
        /as the run found them when it began, got others: the target has no state of this pipeline yet$/,
      ),
      expect.stringMatching(
        /: its changes begin at 2026-03-01T00:00:00.001Z, the target has everything until 2026-03-01T00:00:00.000Z$/,
      ),
    ])
    const filling = { ...later, runId: 'run-3', since: null, syncedUntil: null }
    expect((await loadRows(plan, filling, toRows(records.slice(0, 3)))).changes).toMatchObject({
      unchanged: 3,
      removed: 0,
    })
    expect((await readTargetState(plan, 'config-1')).last).toMatchObject({
      runId: 'run-3',
      syncedUntil: anyLoad.syncedUntil,
    })
    expect((await loadRows(plan, later, toRows([]))).changes).toMatchObject({ removed: 0 })
    expect(await countOf(plan)).toBe(20)
  })

  test.each(['merge', 'snapshot'] as const)(
    'a sudden loss in a database is refused and changes nothing (%s)',
    async (mode) => {
      const plan = planOf({ mode })
      await loadRows(plan, anyLoad, toRows(records))
      const load = { ...later, kind: 'full', maxRemoved: { kind: 'share', percent: 5 } } as const
      const failure = await failureOf(loadRows(plan, load, toRows(records.slice(2))))
      expect(failure).toMatchObject({ code: 'REMOVED_TOO_MANY', exitCode: 3 })
      expect(failure.message).toMatch(
        /: expected at most 1 \(5%\) of 20 published records to be removed \(maxRemoved\), got 2 \(10.0 %\): "P0", "P1"$/,
      )
      expect(await countOf(plan)).toBe(20)
      const { changes, removedRecords } = await loadRows(plan, load, toRows(records.slice(1)))
      expect([changes.removed, removedRecords]).toEqual([1, [{ id: 'P0', status: null, replacement: null }]])
      expect(await countOf(plan)).toBe(19)
    },
  )

  test.each([
    ['a delta', later],
    ['a load that fills in earlier time', { ...later, since: null, syncedUntil: null }],
  ])('a load is refused if more records left the filter than maxRemoved allows, in %s', async (_, terms) => {
    const plan = planOf()
    await loadRows(plan, anyLoad, toRows(records))
    const gone = toRows(records.slice(0, 2)).map((rows, at, { length }) =>
      at < length - 1 ? [] : rows.map((row) => [row[0], null, ...row.slice(2)] as Row),
    )
    const load = { ...terms, maxRemoved: { kind: 'count', count: 1 } } as const
    const failure = await failureOf(loadRows(plan, load, gone))
    expect(failure.code).toBe('REMOVED_TOO_MANY')
    expect(failure.message).toContain('expected at most 1 of 20 published records to be removed (maxRemoved), got 2')
    expect(await countOf(plan)).toBe(20)
    const allowed = await loadRows(plan, { ...load, maxRemoved: { kind: 'share', percent: 10 } }, gone)
    expect(allowed.changes.removed).toBe(2)
    expect(await countOf(plan)).toBe(18)
  })

  test.each(someOf(['merge', 'history'] as const, format === 'duckdb' ? 'history' : 'merge'))(
    'a full load of a database restores changed rows and deleted ones (%s)',
    async (mode) => {
      const plan = planOf({ mode })
      const products = `"${plan.target.schema}"."products"`
      await loadRows(plan, anyLoad, toRows(records))
      const load = { ...later, kind: 'full' } as const
      const countOther = async () =>
        (await database.query(plan.target, `SELECT id FROM ${products} WHERE name = 'x'`)).length
      await database.query(plan.target, `UPDATE ${products} SET name = 'x' WHERE id <> 'P3'`)
      expect(await loadRows(plan, load, toRows(records))).toMatchObject({ differences: [], changes: { unchanged: 20 } })
      expect([await countOf(plan), await countOther()]).toEqual([20, 0])
      await database.query(plan.target, `DELETE FROM ${products} WHERE id <> 'P3'`)
      const { changes, differences } = await loadRows(plan, load, toRows(records))
      expect(differences).toEqual([{ table: 'products', expected: 20, got: 1 }])
      expect(changes).toMatchObject({ new: 0, unchanged: 20 })
      expect([await countOf(plan), await countOf(plan, 'product_photos')]).toEqual([20, 20])
    },
  )

  test.each(someOf(['merge', 'history'] as const, format === 'duckdb' ? 'history' : 'merge'))(
    'a full load of a database mends rows that were replaced by others of the same number (%s)',
    async (mode) => {
      const plan = planOf({ mode })
      const products = `"${plan.target.schema}"."products"`
      await loadRows(plan, anyLoad, toRows(records))
      await database.query(plan.target, `DELETE FROM ${products} WHERE id IN ('P1', 'P2', 'P3')`)
      const [ids, from] = mode === 'history' ? ['id, valid_from', ', now()'] : ['id', '']
      for (const id of ['X1', 'X2', 'X3'])
        await database.query(plan.target, `INSERT INTO ${products} (${ids}) VALUES ('${id}'${from})`)
      const { differences, foreignRows } = await loadRows(plan, { ...later, kind: 'full' }, toRows(records))
      expect({ differences, foreignRows }).toEqual({ differences: [], foreignRows: [3, 0] })
      const found = await database.query(plan.target, `SELECT count(*) FROM ${products} WHERE id LIKE 'P%'`)
      expect([found[0]?.[0], await countOf(plan)]).toEqual(['20', 23])
    },
  )

  test('a table that returns to the config has to be emptied first', async () => {
    const plan = planOf()
    const [products] = modelTables
    await loadRows(plan, anyLoad, toRows(records))
    const [productRows = [], , recordRows = []] = toRows(records)
    await loadRows(
      { ...plan, tables: products === undefined ? [] : [products] },
      { ...anyLoad, configHash: 'config-2' },
      [productRows, recordRows],
    )
    const failure = await failureOf(loadRows(plan, anyLoad, toRows(records)))
    expect(failure.message).toContain('got rows of loads before the last one, which had another config')
    await database.query(plan.target, (failure.fix ?? '').replace(/^.*?(DELETE FROM [^;]*);.*$/s, '$1'))
    await loadRows(plan, anyLoad, toRows(records))
    expect(await countOf(plan, 'product_photos')).toBe(20)
  })

  test('a load is refused if the table has rows of others, if its mode changed, and if a record comes twice', async () => {
    const plan = planOf()
    const { schema } = plan.target
    if (format !== 'duckdb') await database.query(plan.target, `CREATE SCHEMA "${schema}"`)
    await database.query(plan.target, `CREATE TABLE "${schema}".products AS SELECT 'mine' AS id`)
    const [owned, mode, twice] = [
      await failureOf(loadRows(plan, anyLoad, toRows(records))),
      await (async () => {
        const other = planOf()
        await loadRows(other, anyLoad, toRows(records))
        return failureOf(loadRows({ ...other, mode: 'history' }, anyLoad, toRows(records)))
      })(),
      await failureOf(loadRows(planOf(), anyLoad, toRows([...records, records[0] as ModelRecord]))),
    ]
    expect(owned.message).toContain(
      'expected rows of pipeline "products" only or none, got rows that it has not loaded',
    )
    expect(mode.message).toContain('expected what loads of mode history left, got what mode merge left')
    expect([owned.code, mode.code, twice.code]).toEqual(['TARGET_MISMATCH', 'TARGET_MISMATCH', 'TARGET_REFUSED'])
    expect(await countOf(plan)).toBe(1)
  })

  test('the pipelines of one schema keep their states apart', async () => {
    const plan = planOf()
    const other = {
      ...plan,
      pipeline: 'others',
      tables: modelTables.map((table) => ({ ...table, name: `other_${table.name}` })),
    }
    await Promise.all([loadRows(plan, anyLoad, toRows(records)), loadRows(other, anyLoad, toRows(records.slice(5)))])
    const emptied = await loadRows(other, { ...later, kind: 'full' }, toRows([]))
    expect(emptied.changes.removed).toBe(15)
    expect([await countOf(plan), await countOf(other, 'other_products')]).toEqual([20, 0])
  })

  test('a discarded load leaves nothing, even if it was the first', async () => {
    const plan = planOf()
    const output = await openDatabaseOutput(plan, anyLoad)
    await giveRows(output, plan, anyLoad, toRows(records))
    await output.discard()
    expect(await readTargetState(plan, 'config-1')).toMatchObject({ last: null })
    const found = await database.query(
      plan.target,
      `SELECT 1 FROM information_schema.tables WHERE table_name = 'products' AND table_schema = '${format === 'duckdb' ? 'main' : plan.target.schema}'`,
    )
    // MariaDB commits each statement that defines a table.
    expect(found).toEqual(format === 'mariadb' ? [['1']] : [])
    expect((await loadRows(plan, anyLoad, toRows(records))).changes.new).toBe(20)
  })
})

describe('a DuckDB file', () => {
  test('a load into a DuckDB file that another process has open fails with LOCKED and names the process', async () => {
    const database = await startDatabase('duckdb')
    const target = database.createTarget()
    const plan: DatabaseOutputPlan = { target, pipeline: 'p', mode: 'merge', removed: 'drop', tables: modelTables }
    await loadRows(plan, anyLoad, toRows(records))
    const path = target.format === 'duckdb' ? target.path : ''
    const script = `import { DuckDBInstance } from '@duckdb/node-api'
      const instance = await DuckDBInstance.create(${JSON.stringify(path)})
      console.log('open')
      setInterval(() => instance, 1000)`
    const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(other.stdout, 'data')
    const thrown = await openDatabaseOutput(plan, anyLoad, { lockWaitMs: 300 }).catch(toCatalogueError)
    other.kill('SIGKILL')
    expect(thrown).toMatchObject({
      code: 'LOCKED',
      exitCode: 6,
      message: expect.stringContaining(`(PID ${other.pid})`),
    })
    await once(other, 'exit')
    await database.stop()
  })
})
