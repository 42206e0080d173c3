import { DuckDBInstance } from '@duckdb/node-api'
import { cp, readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { vacuumLakes } from '../../../src/engine/run/vacuum-lakes.ts'
import { diffHistory } from '../../../src/inspect/diff/diff.ts'
import { previewAsOf } from '../../../src/inspect/history/preview-as-of.ts'
import { runAsOf } from '../../../src/inspect/history/run-as-of.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { fewOf, isFull } from '../../depth.ts'
import { ScriptedService } from '../../loads/state/scripted-service.ts'
import { StateFolder } from '../../loads/state/state-folder.ts'
import { scriptNights, type ScriptedLoad } from './price-nights.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>

const start = Date.UTC(2050, 0, 1, 2)
const merged: Outputs = [{ format: 'parquet', path: 'out/{table}.parquet' }]

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

function config(outputs: Outputs, more: Partial<Omit<PipelineConfig, 'source'>> = {}): PipelineConfig {
  const source = { ...service.source, filter: { status: ['active'] } }
  const tables = {
    products: {
      columns: [
        'id',
        'name.nl',
        'publicPrice',
        { column: 'eur', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
      ],
    },
    photos: { each: 'photos[]', columns: ['id'] },
  } satisfies PipelineConfig['tables']
  return folder.config({ source, tables, outputs, incremental: { fullEvery: '3d' }, ...more })
}

async function load(made: PipelineConfig, { now, records }: ScriptedLoad): Promise<void> {
  service.records = records
  service.now = now
  const { source: _, ...changes } = made
  await folder.run({ ...changes, source: made.source }, { now: () => now })
}

/** Runs a load after the other, and keeps a copy of what each left. */
async function loadAll(made: PipelineConfig, loads: readonly ScriptedLoad[]): Promise<void> {
  for (const [at, each] of loads.entries()) {
    await load(made, each)
    for (const table of ['products', 'photos'])
      await cp(join(folder.path, `${table}.parquet`), join(folder.path, `kept-${at}`, `${table}.parquet`))
  }
}

const plan = (made: PipelineConfig) => planPipeline(made, { env: {}, outDir: folder.path })

async function writeAsOf(made: PipelineConfig, date: string, name: string) {
  const target = planPipeline(made, { env: {}, outDir: join(folder.path, name) })
  return runAsOf(plan(made), target, date, { env: {} })
}

describe('the tables as of a date', () => {
  const histories: readonly [string, Outputs][] = [
    ['Parquet', [{ format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history' }]],
    ['NDJSON, gzipped', [{ format: 'ndjson', path: 'out/history/{table}.ndjson.gz', mode: 'history' }]],
    [
      'CSV with commas as decimal points',
      [{ format: 'csv', path: 'out/history/{table}.csv', mode: 'history', delimiter: ';', decimalSeparator: ',' }],
    ],
    [
      'partitions of Parquet',
      [{ format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history', partitionBy: ['id'] }],
    ],
    ['a DuckDB database', [{ format: 'duckdb', path: 'out/kept.duckdb', mode: 'history' }]],
    ['Delta', [{ format: 'delta', path: 'out/lake/{table}', mode: 'history' }]],
    ['Iceberg', [{ format: 'iceberg', path: 'out/lake/{table}', mode: 'history', deletes: 'vectors' }]],
    ['versions of Delta', [{ format: 'delta', path: 'out/lake/{table}' }]],
    ['versions of Delta with vectors', [{ format: 'delta', path: 'out/lake/{table}', deletes: 'vectors' }]],
    ['versions of Iceberg', [{ format: 'iceberg', path: 'out/lake/{table}' }]],
    ['versions of Iceberg with vectors', [{ format: 'iceberg', path: 'out/lake/{table}', deletes: 'vectors' }]],
  ]
  for (const [shown, history] of fewOf(histories, ...[0, 6, 8, 10].map((at) => histories[at]!)))
    test(`run --as-of writes what every load left, cell by cell, from a history in ${shown}`, async () => {
      const made = config([...merged, ...history])
      const loads = scriptNights(shown.length, isFull ? 8 : 4, start)
      await loadAll(made, loads)
      const duckdb = await (await DuckDBInstance.create()).connect()
      for (const [at, { now }] of loads.entries()) {
        await writeAsOf(made, new Date(now).toISOString(), `at-${at}`)
        for (const table of ['products', 'photos']) {
          const [kept, written] = ['kept', 'at'].map((name) => inFolder(`${name}-${at}`, `${table}.parquet`))
          const differing = `(FROM '${kept}' EXCEPT ALL FROM '${written}') UNION ALL (FROM '${written}' EXCEPT ALL FROM '${kept}')`
          expect((await duckdb.runAndReadAll(differing)).getRowsJson(), `${table} after load ${at}`).toEqual([])
        }
      }
      duckdb.closeSync()
    })

  const lakes = ['delta', 'iceberg'] as const
  for (const format of lakes) {
    const inLake = (mode?: 'append' | 'snapshot'): Outputs => [
      ...(mode === 'append' ? [] : ([{ ...merged[0]!, ...(mode && { mode }) }] as Outputs)),
      { format, path: 'out/lake/{table}', ...(mode && { mode }) },
    ]
    const nights = [priced(100, 0), priced(200, 24), priced(300, 48), priced(400, 72)]
    const at = (night: number) => new Date(nights[night]!.now).toISOString()
    const pricesAt = async (made: PipelineConfig, date: string) => {
      const { tables } = await previewAsOf(plan(made), date, { env: {}, rows: 9, table: 'products' })
      return tables.flatMap(({ rows }) => rows.map((row) => row['public_price']))
    }

    test(`a snapshot in ${format} is shown as each load left it, without a state in files`, async () => {
      const made = config(inLake('snapshot'), { incremental: undefined })
      for (const { now, records } of nights) {
        service.records = records
        service.now = now
        await runPipeline(made, { outDir: folder.path, env: {}, workers: 0, now: () => now })
      }
      for (const night of nights.keys()) expect(await pricesAt(made, at(night))).toEqual([(night + 1) * 100])
    })

    test(`rows appended in ${format} are those of the loads until then`, async () => {
      const made = config(inLake('append'), { manifest: { path: 'out/_manifest.json' } })
      for (const each of nights) await load(made, each)
      for (const night of nights.keys()) {
        const prices = await pricesAt(made, at(night))
        expect(prices).toEqual([100, 200, 300, 400].slice(0, night + 1))
      }
    })

    test(`before the first load of ${format}, and after a vacuum, it names the first version that there is`, async () => {
      const made = config(inLake())
      for (const each of nights) {
        await load(made, each)
        await ageFiles(each.now)
      }
      const early = await pricesAt(made, '2049-12-31').catch((error: unknown) => error)
      expect(early).toMatchObject({ code: 'USAGE', fix: `Ask for ${at(0)} or later.` })
      const options = { env: {}, olderThan: 3_600_000, dryRun: false }
      // The version of the second load was replaced before, by the third.
      const removed = await vacuumLakes(plan(made), { ...options, now: () => nights[2]!.now + 2 * 3_600_000 })
      expect(removed.some(({ files }) => files > 0)).toBe(true)
      const gone = await pricesAt(made, at(1)).catch((error: unknown) => error)
      expect(gone).toMatchObject({
        code: 'SOURCE_NOT_FOUND',
        message: expect.stringContaining(`the first one is version`),
        fix: expect.stringContaining(`Ask for ${at(2)} or later.`),
      })
      expect(await pricesAt(made, at(2))).toEqual([300])
      expect(await pricesAt(made, at(3))).toEqual([400])
    })
  }

  test('diff of a lake at two dates lists what changed between its versions', async () => {
    const made = config([{ format: 'delta', path: 'out/lake/{table}' }], { manifest: { path: 'out/_manifest.json' } })
    for (const each of [priced(100, 0), priced(200, 24)]) await load(made, each)
    const options = { env: {}, signal: new AbortController().signal, onWarning: () => undefined }
    const dates = { asOf: '2050-01-01', and: '2050-01-02' }
    const report = await diffHistory({ path: 'nightly.yaml', plan: plan(made) }, dates, options)
    expect(report.tables[0]).toMatchObject({ name: 'products', new: 0, removed: 0, changed: 1 })
    expect(report.tables[0]!.fields.map(({ field }) => field)).toEqual(['products.eur', 'products.public_price'])
  })

  test('diff as of today until now does not ask if the dates are swapped, and asks so for a day to come', async () => {
    const made = config([{ format: 'parquet', path: 'out/history/{table}.parquet', mode: 'history' }])
    await load(made, {
      now: Date.now() - 60_000,
      records: [{ id: 'A', price: 1, updatedAt: Math.floor(Date.now() / 1000) - 120 }],
    })
    const warned: string[] = []
    const options = {
      env: {},
      signal: new AbortController().signal,
      onWarning: (each: string) => void warned.push(each),
    }
    const side = { path: 'nightly.yaml', plan: plan(made) }
    const today = new Date().toISOString().slice(0, 10)
    await diffHistory(side, { asOf: today, and: undefined }, options)
    expect(warned).toEqual([])
    await diffHistory(side, { asOf: '2999-01-01', and: undefined }, options)
    expect(warned).toEqual([expect.stringContaining('are the dates swapped?')])
  })

  describe('of one product', () => {
    const parquet = histories[0]![1]
    const loads = [priced(100, 0), priced(200, 3), priced(300, 30)]
    const made = () => config([...merged, ...parquet], { timezone: 'Europe/Brussels' })
    const pricesOn = async (date: string) => {
      const { tables } = await previewAsOf(plan(made()), date, { env: {}, rows: 3, table: 'products' })
      return tables.map(({ columns, rows }) => [
        columns.map(({ name }) => name).join(),
        ...rows.map((row) => row['public_price']),
      ])
    }

    beforeEach(async () => {
      for (const each of loads) await load(made(), each)
    })

    test('a day means its last moment in the time zone of the pipeline, as until does', async () => {
      const shown = 'id,name_nl,public_price,eur'
      expect(await pricesOn('2050-01-01')).toEqual([[shown, 200]])
      expect(await pricesOn('2050-01-02')).toEqual([[shown, 300]])
      // The third price is of 7:59 on 2 January; midnight in Brussels is an hour before that of UTC.
      expect(await pricesOn('2050-01-02T07:58:59Z')).toEqual([[shown, 200]])
      expect(await pricesOn('2050-01-02T07:59:00Z')).toEqual([[shown, 300]])
      expect(await pricesOn('2050-01-01T04:00:00Z')).toEqual([[shown, 100]])
    })

    test('before the first load it names the first moment that there is', async () => {
      const failure = await pricesOn('2049-12-31').catch((error: unknown) => error)
      expect(failure).toMatchObject({
        code: 'USAGE',
        message:
          'products: the history of "products" begins on 2050-01-01, with the load of 2050-01-01T02:00:00.000Z, so it can\'t say what there was as of 2049-12-31',
        fix: 'Ask for 2050-01-01T02:00:00.000Z or later.',
      })
    })

    test('a day after the last load shows what that left, with a note', async () => {
      const { notes } = await previewAsOf(plan(made()), '2050-02-01', { env: {}, rows: 1 })
      expect(notes).toEqual([
        'the last load began on 2050-01-02T08:00:00.000Z: what changed between then and 2050-02-01 is not known',
      ])
    })

    test('run --as-of leaves all that the pipeline has published as it is, and says so in a manifest of its own', async () => {
      const before = await readAll()
      const report = await writeAsOf(made(), '2050-01-01', 'then')
      expect(await readAll()).toEqual(before)
      const manifest = JSON.parse(await readFile(inFolder('then', '_manifest.json'), 'utf8')) as unknown
      expect(manifest).toEqual(report)
      expect(report).toMatchObject({
        asOf: { at: '2050-01-01T22:59:59.999Z', runId: expect.stringMatching(/^[0-9a-f]{32}$/) },
        tables: [
          { name: 'products', rows: 1 },
          { name: 'photos', rows: 0 },
        ],
        ledger: { lines: 1, accepted: 1 },
        completeness: { status: 'unprovable' },
        sources: [],
      })
      expect(report).not.toHaveProperty('state')
      expect((await readdir(inFolder('then'))).toSorted()).toEqual([
        '_manifest.json',
        'photos.parquet',
        'products.parquet',
      ])
    })

    test('run --as-of gives the same bytes again', async () => {
      await writeAsOf(made(), '2050-01-01', 'one')
      await writeAsOf(made(), '2050-01-01', 'two')
      const [one, two] = await Promise.all(['one', 'two'].map((name) => readFile(inFolder(name, 'products.parquet'))))
      expect(one).toEqual(two)
    })

    test('run --as-of refuses the paths of the pipeline itself', async () => {
      const failure = await writeAsOf(made(), '2050-01-01', '.').catch((error: unknown) => error)
      expect(failure).toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining('expected --out with another folder'),
      })
    })

    test('diff of a history at two dates lists what changed between them', async () => {
      const options = { env: {}, signal: new AbortController().signal, onWarning: () => undefined }
      const side = { path: 'nightly.yaml', plan: plan(made()) }
      const report = await diffHistory(side, { asOf: '2050-01-01', and: '2050-01-02' }, options)
      expect(report.old).toMatchObject({
        kind: 'history',
        path: 'nightly.yaml as of 2050-01-01',
        time: '2050-01-01T22:59:59.999Z',
      })
      expect(report.tables[0]).toMatchObject({ name: 'products', new: 0, removed: 0, changed: 1 })
      expect(report.tables[0]!.fields.map(({ field, example }) => [field, example.old, example.new])).toEqual([
        ['products.eur', '2.00', '3.00'],
        ['products.public_price', '200', '300'],
      ])
      const same = await diffHistory(side, { asOf: '2050-01-02', and: '2050-01-03' }, options)
      expect(same.equal).toBe(true)
    })

    test('a pipeline without a history is told what to add', async () => {
      const other = config([{ format: 'parquet', path: 'out/other/{table}.parquet' }])
      await load(other, loads[0]!)
      const failure = await previewAsOf(plan(other), '2050-01-01', { env: {}, rows: 1 }).catch(
        (error: unknown) => error,
      )
      expect(failure).toMatchObject({ code: 'SOURCE_NOT_FOUND', fix: expect.stringContaining('mode: history') })
    })

    test('a history in PostgreSQL alone is named, without the password, as one to ask by SQL', async () => {
      const server = { format: 'postgres', url: 'postgres://me:secret@localhost/shop', mode: 'history' } as const
      const files: Outputs = [{ format: 'parquet', path: 'out/other/{table}.parquet' }]
      await load(config(files), loads[0]!)
      const other = plan(config([...files, { ...server, schema: 'kept' }]))
      const failure = await previewAsOf(other, '2050-01-01', { env: {}, rows: 1 }).catch((error: unknown) => error)
      expect(failure).toMatchObject({
        code: 'SOURCE_NOT_FOUND',
        message:
          'products: expected a history in files, in a DuckDB file or in a lake, got one in postgres, schema "kept"',
        fix: expect.stringContaining('by SQL'),
      })
    })
  })
})

function inFolder(...path: readonly string[]): string {
  return join(folder.path, ...path)
}

async function readAll() {
  const files = (await folder.files()).filter((path) => !path.startsWith('then'))
  return Promise.all(files.map(async (path) => [path, (await readFile(inFolder(path))).toString('base64')]))
}

/** Dates the files of a lake that are of no earlier load. */
async function ageFiles(now: number): Promise<void> {
  for (const path of (await folder.files()).filter((each) => each.startsWith('lake'))) {
    const { mtimeMs } = await stat(inFolder(path))
    if (mtimeMs < start) await utimes(inFolder(path), new Date(now), new Date(now))
  }
}

/** A load of one product, some hours after the first. */
function priced(price: number | null, hour: number): ScriptedLoad {
  const now = start + hour * 3_600_000
  return { now, records: [{ id: 'A', price, updatedAt: now / 1000 - 60 }] }
}
