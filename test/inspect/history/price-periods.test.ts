import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { checkConfig } from '../../../src/plan/plan-pipeline.ts'
import { cases } from '../../depth.ts'
import { ScriptedService } from '../../loads/state/scripted-service.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import { scriptNights, type ScriptedLoad } from './price-nights.ts'

const start = Date.UTC(2050, 0, 1, 2)
const tables: PipelineConfig['tables'] = {
  products: { columns: ['id', 'name.nl', 'publicPrice'] },
  price_periods: { builtin: 'price_periods' },
}
const outputs: NonNullable<PipelineConfig['outputs']> = [
  { format: 'parquet', path: 'out/{table}.parquet' },
  { format: 'ndjson', path: 'out/history/{table}.ndjson', mode: 'history' },
  { format: 'csv', path: 'out/lists/{table}.csv.gz' },
]

interface Period {
  readonly product_id: string
  readonly position: number
  readonly from: string
  readonly until: string | null
  readonly amount: number
  readonly previous: number | null
  readonly percent: number | null
}

let folder: StateFolder
let service: ScriptedService

beforeEach(async () => {
  folder = await StateFolder.create()
  service = await ScriptedService.start()
})
afterEach(async () => {
  await service.close()
  await folder.close()
})

async function load({ now, records }: ScriptedLoad, more: Partial<Omit<PipelineConfig, 'source'>> = {}): Promise<void> {
  service.records = records
  service.now = now
  const source = { ...service.source, filter: { status: ['active'] } }
  await folder.run({ source, tables, outputs, incremental: { fullEvery: '3d' }, ...more }, { now: () => now })
}

const time = (name: string) => `strftime("${name}"::TIMESTAMPTZ, '%Y-%m-%dT%H:%M:%S.%gZ') AS "${name}"`

/** Reads a file with a reader of others. */
async function read(from: string): Promise<unknown[]> {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run("SET TimeZone = 'UTC'")
  const sql = `SELECT product_id, position::INTEGER AS position, ${time('from')}, ${time('until')}, amount::INTEGER AS amount, unit,
    previous::INTEGER AS previous, percent::DOUBLE AS percent FROM ${from} ORDER BY product_id, position`
  const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson()
  connection.closeSync()
  return rows
}

const sides = () => [
  `read_parquet('${join(folder.path, 'price_periods.parquet')}')`,
  `read_json('${join(folder.path, 'history', 'price_periods.ndjson')}')`,
  `read_csv('${join(folder.path, 'lists', 'price_periods.csv.gz')}', all_varchar = true)`,
]

describe('builtin: price_periods', () => {
  const seeds = Array.from({ length: cases(3, 1) }, (_, at) => at + 1)
  test.each(seeds)(
    'periods are those of script %i, event by event, after every load, in every format',
    async (seed) => {
      const loads = scriptNights(seed, cases(24, 10), start + seed * 1000 * 86_400_000)
      for (const [at, each] of loads.entries()) {
        await load(each)
        const isLast = at === loads.length - 1
        for (const from of isLast ? sides() : sides().slice(0, 1))
          expect(await read(from), `load ${at}, ${from}`).toEqual(toPeriods(loads.slice(0, at + 1)))
      }
    },
  )

  test('a load that changes nothing keeps the files, and the report counts their rows', async () => {
    const [first] = scriptNights(7, 1, start) as [ScriptedLoad]
    await load(first)
    const before = await read(sides()[0]!)
    await load({ ...first, now: first.now + 86_400_000 })
    expect(await read(sides()[0]!)).toEqual(before)
    const manifest = JSON.parse(await readFile(folder.manifestPath, 'utf8')) as {
      tables: unknown[]
    }
    expect(manifest.tables[1]).toMatchObject({ name: 'price_periods', rows: before.length })
  })

  test('a config without a history, without the delivered price, or with a database in place of files is refused', () => {
    const problems = (changes: Partial<PipelineConfig>) =>
      checkConfig(folder.config({ tables, outputs, ...changes }), { env: {} }).problems.map(({ message }) => message)
    expect(problems({})).toEqual([])
    expect(problems({ outputs: [outputs[0]!] })).toEqual([
      'builtin: expected an output in files with mode: history that holds the table "products", got none',
    ])
    expect(problems({ tables: { ...tables, products: { columns: ['id', 'name.nl'] } } })).toEqual([
      expect.stringContaining('the column publicPrice as it is delivered'),
    ])
    expect(problems({ outputs: [...outputs, { format: 'duckdb', path: 'out/kept.duckdb', mode: 'history' }] })).toEqual(
      [expect.stringContaining('got it in an output with duckdb: list the tables of that output')],
    )
  })
})

/** What a script means: each change of a product's price is an event, and so is its end. */
function toPeriods(loads: readonly ScriptedLoad[]): unknown[] {
  const ids = [...new Set(loads.flatMap(({ records }) => records.map(({ id }) => id)))].toSorted()
  return ids.flatMap((id) => {
    const periods: { -readonly [Key in keyof Period]: Period[Key] }[] = []
    let isOpen = false
    for (const { now, records } of loads) {
      const record = records.find((each) => each.id === id)
      if (record === undefined) continue
      const price = record.status === 'inactive' ? null : (record.price ?? 0)
      const at = new Date(price === null ? now : (record.updatedAt ?? 0) * 1000).toISOString()
      const last = periods.at(-1)
      const amount = price === null || price <= 0 ? null : price
      if (isOpen && last?.amount === amount) continue
      if (isOpen && last !== undefined) last.until = at
      isOpen = amount !== null
      if (amount === null) continue
      const previous = last?.amount ?? null
      const percent = previous === null ? null : toPercent(amount, previous)
      periods.push({ product_id: id, position: periods.length + 1, from: at, until: null, amount, previous, percent })
    }
    return periods.map((period) => ({ ...period, unit: 'EUR' }))
  })
}

/** To two decimals, half away from zero, by long division. */
function toPercent(amount: number, previous: number): number {
  const [change, whole] = [BigInt(amount - previous) * 10_000n, BigInt(previous)]
  const [quotient, rest] = [change / whole, change % whole]
  const isUp = 2n * (rest < 0n ? -rest : rest) >= whole
  return Number(quotient + (isUp ? (change < 0n ? -1n : 1n) : 0n)) / 100
}
