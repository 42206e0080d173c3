import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { profilePipeline } from '../../../src/inspect/profile/profile-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { type ColumnProfile, type RunProfile, runProfileSchema } from '../../../src/kernel/profile/run-profile.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { cases, someOf } from '../../depth.ts'
import { checkHistograms, profileOfRows } from '../../inspect/profile/profile-of-rows.ts'
import { cutQuantiles } from '../../inspect/profile/spread-of-values.ts'
import { RunFolder } from '../../engine/run-folder.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

let folder: RunFolder

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', Buffer.concat([generated, Buffer.from(strange), Buffer.from('garbage\n')]))
})
afterAll(() => folder.remove())

const generated = Buffer.concat([
  ...generateLines({ contract: 'v4/product', records: cases(1500, 250), seed: 11, dialect: 'loose' }),
])

const texts = ['', 'é', '\0', '\u001F"\\', '\u{1F600}', '\uFFFF', '\uFEFFmark', 'ﬀ', '-0', 'null', 'a|b', 'line\nbreak']

/** Records whose values are rare: at every bound, empty, long, of several bytes a character, beyond 2^53. */
const strange = [
  ...texts.map((text, at) => ({ id: `S${at}`, name: { nl: text, de: text }, supplierReference: text, ean: [text] })),
  ...texts.map((text, at) => ({
    id: `L${at}`,
    seoName: { fr: text + '\u{1F600}x'.repeat(70) + at },
    nut: 'z'.repeat(65),
  })),
  { id: 'N1', publicPrice: 9_007_199_254_740_991, vat: -0, weightWithUnit: { value: 1e-7, unit: 'g' } },
  { id: 'N2', publicPrice: -5, vat: -1.5, weightWithUnit: { value: 1e21, unit: '' }, ean: [] },
  { id: 'N3', meta: { updatedAt: 0 }, officialDeletionAt: -62_135_596_800, ean: null, photos: [null, {}] },
  { id: 'N4', meta: { updatedAt: -1 }, atcCategory: ['B', 'A', null, 'A'], brands: [{ id: 1 }, { id: 2 }] },
  { id: 'N5', beyond: 3, flag: true, prices: 12.5 },
]
  .map((record) => `${JSON.stringify(record)}\n`)
  .join('')
  .concat('{"id":"N6","publicPrice":9223372036854775807}\n{"id":"N7","publicPrice":-9223372036854775808}\n')

const columns = [
  'id',
  'status',
  'name',
  'seoName',
  'supplierReference',
  'nut',
  { column: 'price_eur', from: 'publicPrice', as: 'decimal(22,2)', unit: 'cents' },
  'publicPrice',
  'vat',
  'weightWithUnit',
  'prescription',
  'ean',
  'atcCategory',
  { column: 'brand_ids', from: 'brands[].id' },
  { column: 'brand_names', from: 'brands[].name', locale: 'nl' },
  { column: 'title', from: 'name', locale: 'en', fallback: ['fr', 'nl'] },
  { column: 'packshot', from: 'photos[].formats.large', locale: 'nl', fallback: 'spec' },
  'meta.updatedAt',
  'officialDeletionAt',
  { column: 'updated_on', from: 'meta.updatedAt', as: 'date' },
  { column: 'weights', from: 'weightWithUnit', as: 'json' },
  'beyond',
  'flag',
] satisfies NonNullable<NonNullable<PipelineConfig['tables']>[string]['columns']>

const toConfig = (format: 'ndjson' | 'csv' | 'parquet' = 'ndjson'): PipelineConfig => ({
  name: 'products',
  source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
  contract: { extra: { beyond: 'integer', flag: 'boolean' } },
  completeness: 'report',
  rejects: { limit: '100%' },
  maxRemoved: '100%',
  where: { id: { not: 'S3' } },
  tables: {
    products: { columns },
    product_photos: { each: 'photos[]', where: { photoType: { not: 'packshot' } } },
    product_descriptions: { each: 'descriptions[]' },
    without_fast_path: { each: 'brands[]' },
  },
  outputs: [{ format, path: 'out/{table}.{pipeline}' }],
})

const run = (config: PipelineConfig, workers = 0): Promise<Manifest> =>
  folder.run({ ...config, source: {} }, { workers })

const withoutHistogram = (column: ColumnProfile): ColumnProfile => {
  const { histogram: _, ...others } = column
  return others
}

const readProfile = async (): Promise<RunProfile> => JSON.parse(await folder.readOut('_profile.json')) as RunProfile

/** The profile that a run would give of a deep one: distinct values only where they are few and short, bounds cut. */
function limit(column: ColumnProfile, values: readonly unknown[]): ColumnProfile {
  const { distinct = 0, frequent: _, ...others } = column
  const isLong = values.some((value) => typeof value === 'string' && Buffer.byteLength(value) > 64)
  const isCounted = column.type !== 'json' && distinct <= 100 && !isLong
  const { distinct: _distinct, ...uncounted } = { ...others, distinct }
  const { quantiles, type } = column
  const measured = quantiles && { quantiles: cutQuantiles(quantiles, type, column) }
  const kept = isCounted ? column : { ...uncounted, ...measured }
  return column.type === 'json' ? kept : { ...kept, min: cut(column.min), max: cut(column.max) }
}

function cut(value: ColumnProfile['min']): ColumnProfile['min'] {
  if (typeof value !== 'string') return value
  let kept = ''
  for (const character of value) {
    if (Buffer.byteLength(kept + character) > 256) return kept
    kept += character
  }
  return kept
}

/** With the whole numbers that JSON.parse would round as texts. */
function quoteLong(line: string): string {
  return line.replaceAll(/(?<=:)-?\d{16,}(?=[,}])/g, (digits) =>
    Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`,
  )
}

/** Without histograms, whose counts are checked. */
async function expectedTables({ files }: Manifest, found: RunProfile): Promise<RunProfile['tables']> {
  return Promise.all(
    files.map(async ({ table, path, columns: reports }, at) => {
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
      const rows = lines.map((line) => JSON.parse(quoteLong(line)) as Record<string, unknown>)
      const profile = profileOfRows(table, rows, reports)
      checkHistograms(found.tables[at]?.columns ?? [], rows)
      return {
        ...profile,
        columns: profile.columns.map((column) =>
          limit(
            column,
            rows.flatMap((row) => row[column.name]),
          ),
        ),
      }
    }),
  )
}

describe('the profile of a run', () => {
  test('the profile of a run says of every column what its rows as NDJSON give', async () => {
    const report = await run(toConfig())
    const found = await readProfile()
    expect(runProfileSchema.parse(found)).toEqual(found)
    expect(found).toMatchObject({ version: 1, pipeline: 'products', runId: report.runId })
    expect(report.ledger).toMatchObject({ filtered: 1 })
    const expected = await expectedTables(report, found)
    const plain = found.tables.map((table) => ({ ...table, columns: table.columns.map(withoutHistogram) }))
    for (const [at, table] of expected.entries()) {
      for (const [index, column] of table.columns.entries()) {
        expect({ of: table.name, ...plain[at]?.columns[index] }).toEqual({ of: table.name, ...column })
      }
    }
    expect(plain).toEqual(expected)
  })

  test('the profile of a run has the same bytes for any number of workers, and the same counts for every format', async () => {
    // Enough for threads to be started.
    await folder.write(
      'long.ndjson',
      Buffer.concat(Array.from({ length: 4 }, () => [generated, Buffer.from(strange)]).flat()),
    )
    const long = { ...toConfig(), source: { files: join(folder.path, 'long.ndjson') } }
    await folder.run(long, { workers: 0 })
    const ofLong = await folder.readOut('_profile.json')
    for (const workers of someOf([1, 8], 2)) {
      await folder.run(long, { workers })
      expect(await folder.readOut('_profile.json')).toBe(ofLong)
    }
    await run(toConfig(), 0)
    const expected = await folder.readOut('_profile.json')
    await run(toConfig(), 2)
    expect(await folder.readOut('_profile.json')).toBe(expected)
    const { tables, localized } = await readProfile()
    for (const format of ['csv', 'parquet'] as const) {
      await run(toConfig(format))
      expect(await readProfile()).toMatchObject({ tables, localized })
    }
  })

  test('the profile of a run is part of what DuckDB finds in its Parquet files', async () => {
    await run(toConfig('parquet'))
    const found = await readProfile()
    const deep = await profilePipeline(planPipeline(toConfig('parquet'), { outDir: folder.out }), { env: {} })
    for (const [at, table] of found.tables.entries()) {
      expect(deep.tables[at]).toMatchObject({ name: table.name, rows: table.rows })
      for (const [index, { min: _min, max: _max, quantiles, ...column }] of table.columns.entries()) {
        const ofAll = deep.tables[at]?.columns[index]
        expect(ofAll).toMatchObject(column)
        const exact = ofAll?.quantiles
        const isCut = exact && column.distinct === undefined
        expect(quantiles).toEqual(isCut ? cutQuantiles(exact, column.type, ofAll) : exact)
      }
    }
  })

  test('a pipeline with profile: false has none, and removes that of the run before', async () => {
    const report = await run(toConfig())
    expect(report.profile).toMatchObject({ path: join(folder.out, '_profile.json') })
    const without = await run({ ...toConfig(), profile: false })
    expect(without.profile).toBeUndefined()
    await expect(readProfile()).rejects.toThrow('ENOENT')
  })
})
