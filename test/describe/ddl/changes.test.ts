import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { formatChanges, sinceStart } from '../../../src/describe/ddl/format-changes.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import type { PipelinePlan } from '../../../src/plan/pipeline-plan.ts'
import { runInMemory } from '../../cli/memory-terminal.ts'
import { cases, isDeep, isFull } from '../../depth.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import {
  skipsPython,
  startPython,
  startWarehouse,
  toStatements,
  warehouses,
  type WarehouseName,
} from './warehouses/start-warehouse.ts'
import { readCells, withEmptyLists, type Warehouse } from './warehouses/warehouse.ts'

interface Night {
  readonly plan: PipelinePlan
  readonly manifest: Pick<Manifest, 'files'>
}

const nights = cases(16, 4)
/** The config is edited before this night, so that the tables get another column. */
const edited = cases(10, 3)

const columns = [
  'id',
  'status',
  'name',
  'cnk',
  { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
  { column: 'weight', from: 'weightWithUnit.value' },
  { column: 'atc', from: 'atcCategory', as: 'json' },
  { column: 'codes', from: 'atcCategory[]' },
  { column: 'day', from: 'meta.updatedAt', as: 'date' },
  'deleted',
  'meta.updatedAt',
]

function configOf(night: number): Pick<PipelineConfig, 'tables' | 'outputs'> {
  const tables = {
    products: { columns: night < edited ? columns : [...columns, 'vat'] },
    photos: { each: 'photos[]', columns: 'all' },
    photo_organizations: { each: 'photos[].organizations[]', columns: 'all' },
  }
  const outputs = [
    { format: 'parquet', path: 'out/{table}.parquet', mode: 'merge' },
    { format: 'parquet', path: 'out/changes/{table}.parquet', mode: 'changes', touched: true },
    { format: 'ndjson', path: 'out/lines/{table}.ndjson', mode: 'changes', touched: true },
  ]
  return { tables, outputs } as unknown as Pick<PipelineConfig, 'tables' | 'outputs'>
}

let folder: StateFolder
let duckdb: Warehouse
const published: Night[] = []

beforeAll(async () => {
  folder = await StateFolder.create()
  duckdb = await startWarehouse('duckdb')
  for (let night = 0; night < nights; night++) {
    const config = configOf(night)
    const manifest = await folder.run(config)
    const plan = planPipeline(folder.config(config), { env: {} })
    published.push({ plan, manifest })
    for (const { name } of plan.records.tables)
      await copyFile(join(folder.path, `${name}.parquet`), join(folder.path, `${night}-${name}.parquet`))
    folder.sandbox.advance()
  }
}, 600_000)
afterAll(async () => {
  await duckdb.stop()
  await folder.close()
})

function formatNight(at: number, name: WarehouseName | 'bigquery' | 'redshift', since?: string): string {
  const { plan, manifest } = published[at] as Night
  return formatChanges(plan, manifest, name, since)
}

/** Compares every table with what `mode: merge` made of the same night, cell by cell. */
async function expectNight(at: number, name: WarehouseName, warehouse: Warehouse): Promise<void> {
  for (const table of (published[at] as Night).plan.records.tables) {
    await duckdb.run(`CREATE OR REPLACE VIEW merged AS FROM '${join(folder.path, `${at}-${table.name}.parquet`)}'`)
    const cells = await readCells(duckdb, 'merged', table.columns)
    const expected = name === 'clickhouse' ? cells.map(withEmptyLists(table.columns)).toSorted() : cells
    expect(expected.length).toBeGreaterThan(10)
    expect({ at, table: table.name, rows: await readCells(warehouse, table.name, table.columns) }).toEqual({
      at,
      table: table.name,
      rows: expected,
    })
  }
}

async function countApplied(warehouse: Warehouse): Promise<number> {
  const rows = await warehouse.query(`SELECT count(*) FROM ${warehouse.quoteName('_catalogue_etl_applied')}`)
  return Number(rows[0]?.[0])
}

const runOf = (night: number): string => (published[night] as Night).manifest.files.at(-1)?.run ?? ''

/** Python needs seconds to load an engine, and Spark a minute for a night. */
const others = ['mariadb', 'clickhouse', 'snowflake']
const engines = warehouses.map(({ name, isSkipped }) => ({
  name,
  isSkipped: isSkipped || !(isFull || ['duckdb', 'postgres', ...(isDeep ? others : [])].includes(name)),
}))

describe.each(engines)('what ddl --changes prints for $name', ({ name, isSkipped }) => {
  let warehouse: Warehouse
  beforeAll(async () => {
    if (!isSkipped) warehouse = await startWarehouse(name)
  }, 120_000)
  afterAll(async () => {
    if (!isSkipped) await warehouse.stop()
  })

  test.skipIf(isSkipped)(
    'is refused out of order, with nothing applied, also by a client that does not stop at errors',
    async () => {
      const [first, third] = [formatNight(0, name), formatNight(2, name)]
      await warehouse.run(first)
      await expect(warehouse.run(third)).rejects.toThrow('which is not the last one applied')
      await warehouse.runAll('ROLLBACK;\n')
      await expectNight(0, name, warehouse)
      expect(await warehouse.runAll(third)).toContain('which is not the last one applied')
      await expectNight(0, name, warehouse)
      expect(await warehouse.runAll(first)).toBeNull()
      expect(await countApplied(warehouse)).toBe(1)
    },
    600_000,
  )

  test.skipIf(isSkipped)(
    'comes night by night to the merged tables, cell by cell, and to the same if it runs twice',
    async () => {
      for (let night = 1; night < (name === 'spark' ? 3 : nights); night++) {
        const script = formatNight(night, name)
        await warehouse.run(script)
        await expectNight(night, name, warehouse)
        await warehouse.run(script)
        await expectNight(night, name, warehouse)
        expect(await countApplied(warehouse)).toBe(night + 1)
      }
    },
    900_000,
  )
})

const skipsClickhouse = skipsPython || !isDeep

test.skipIf(skipsClickhouse)(
  'what ddl --changes prints for a warehouse without transactions comes to the same if it ends early and runs again',
  async () => {
    const warehouse = await startWarehouse('clickhouse')
    await warehouse.run(formatNight(0, 'clickhouse'))
    const script = formatNight(1, 'clickhouse')
    const statements = toStatements(script)
    const begin = statements.findIndex((statement) => statement.includes('throwIf'))
    const end = statements.findIndex((statement) => statement.includes('INSERT INTO "_catalogue_etl_applied"'))
    expect(end - begin).toBeGreaterThan(5)
    for (let cut = begin; cut <= end; cut++) await warehouse.run(`${statements.slice(0, cut).join(';\n')};\n`)
    expect(await countApplied(warehouse)).toBe(1)
    await warehouse.run(script)
    await expectNight(1, 'clickhouse', warehouse)
    await warehouse.stop()
  },
  300_000,
)

test.skipIf(skipsClickhouse).each(['bigquery', 'redshift'] as const)(
  'a parser of SQL for %s knows every statement of ddl --changes',
  async (name) => {
    const parser = await startPython(name)
    await expect(parser.run(formatNight(nights - 1, name, sinceStart))).resolves.toBeUndefined()
    await parser.stop()
  },
  120_000,
)

test('ddl --changes --since prints all runs after one, in their order', async () => {
  const [all, later] = [formatNight(3, 'duckdb', sinceStart), formatNight(3, 'duckdb', runOf(1))]
  const headings = (...at: number[]) => at.map((night) => `-- What run ${runOf(night)}`)
  expect(all.match(/^-- What run \w+/gm)).toEqual(headings(0, 1, 2, 3))
  expect(later.match(/^-- What run \w+/gm)).toEqual(headings(2, 3))
  const warehouse = await startWarehouse('duckdb')
  await warehouse.run(all)
  await expectNight(3, 'duckdb', warehouse)
  await warehouse.run(all)
  expect(await countApplied(warehouse)).toBe(4)
  await warehouse.stop()
  expect(() => formatNight(3, 'duckdb', 'none')).toThrow('--since: expected a run with changes, such as')
})

test('ddl --changes of a run that has every record anew replaces all rows, once other runs are forgotten', async () => {
  const { plan, manifest } = published[1] as Night
  const files = manifest.files
    .filter(({ run }) => run === runOf(0))
    .map((file) => ({ ...file, run: 'anew', previousRun: null }))
  const warehouse = await startWarehouse('duckdb')
  await warehouse.run(formatNight(1, 'duckdb', sinceStart))
  const anew = formatChanges(plan, { files }, 'duckdb')
  await expect(warehouse.run(anew)).rejects.toThrow('run anew has every record, but other runs are applied')
  await warehouse.run('ROLLBACK;')
  await expectNight(1, 'duckdb', warehouse)
  await warehouse.run('DELETE FROM _catalogue_etl_applied;')
  await warehouse.run(anew)
  await expectNight(0, 'duckdb', warehouse)
  // A manifest that lists both knows which run it comes after.
  const both = formatChanges(plan, { files: [...manifest.files, ...files] }, 'duckdb')
  expect(both).toContain(`-- What run anew changed, after run ${runOf(1)}.`)
  await warehouse.stop()
})

test('ddl --changes says which files it lacks', () => {
  const { plan, manifest } = published[0] as Night
  const files = manifest.files.filter(({ format }) => format === 'parquet')
  expect(() => formatChanges(plan, { files: [] }, 'duckdb')).toThrow('expected a run with changes in files, got none')
  expect(() => formatChanges(plan, { files }, 'mariadb')).toThrow(
    'table "products": expected changes in ndjson, got parquet',
  )
  const children = plan.records.tables.filter(({ each }) => each.length > 0)
  const narrowed = { ...plan, records: { ...plan.records, tables: children } }
  expect(() => formatChanges(narrowed, manifest, 'duckdb')).toThrow('expected a table without each and where, got none')
})

test('the command ddl prints changes of the manifest that the last run left', async () => {
  const config = join(folder.path, 'config.json')
  await writeFile(config, JSON.stringify(folder.config(configOf(nights - 1))))
  const ddl = (...args: string[]) =>
    runInMemory(['describe', config, '--as', 'ddl', '--out', folder.path, '--dialect', 'duckdb', ...args])
  expect((await ddl('--changes')).stdout).toBe(formatNight(nights - 1, 'duckdb'))
  const { exitCode, stderr } = await ddl('--since', 'start')
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--since: expected only with --changes')])
})
