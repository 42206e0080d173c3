import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { profilePipeline, type ProfileOptions } from '../../../src/inspect/profile/profile-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { type ColumnProfile, type RunProfile, runProfileSchema } from '../../../src/kernel/profile/run-profile.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { RunFolder } from '../../engine/run-folder.ts'
import { checkHistograms, profileOfRows } from './profile-of-rows.ts'
import { cutQuantiles } from './spread-of-values.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import { cases } from '../../depth.ts'
import { generateProducts, toStream } from '../diff/seed-changes.ts'

type Outputs = NonNullable<PipelineConfig['outputs']>

let folder: RunFolder

beforeAll(async () => {
  folder = await RunFolder.create()
  const lines = generateLines({ contract: 'v4/product', records: cases(400, 150), seed: 5, dialect: 'loose' })
  await folder.write('input.ndjson', Buffer.concat([...lines]))
})
afterAll(() => folder.remove())

const tables = {
  products: {
    columns: [
      'id',
      'status',
      'name',
      { column: 'price_eur', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
      'publicPrice',
      'vat',
      'prescription',
      'ean',
      'supplierReference',
      { column: 'brand_ids', from: 'brands[].id' },
      { column: 'brand_names', from: 'brands[].name', locale: 'nl' },
      'meta.updatedAt',
      { column: 'updated_on', from: 'meta.updatedAt', as: 'date' },
      { column: 'weights', from: 'weightWithUnit', as: 'json' },
    ],
  },
  photos: { each: 'photos[]', columns: ['photoType', 'locales', 'displayOrder'] },
  descriptions: { each: 'descriptions[]', columns: ['content'] },
} satisfies PipelineConfig['tables']

const toConfig = (outputs: Outputs): PipelineConfig => ({
  name: 'products',
  source: { files: `${folder.path}/input.ndjson`, contract: 'v4/product' },
  rejects: { limit: '100%' },
  tables,
  outputs,
})

/** With quantiles as a run has them. */
function cutAsRun(column: ColumnProfile | undefined): ColumnProfile | undefined {
  if (column?.quantiles === undefined || (column.distinct ?? 0) <= 100) return column
  return { ...column, quantiles: cutQuantiles(column.quantiles, column.type, column) }
}

async function publish(outputs: Outputs): Promise<Manifest> {
  return folder.run({ ...toConfig(outputs), source: {} })
}

async function profile(outputs: Outputs, options: Partial<ProfileOptions> = {}): Promise<RunProfile> {
  const plan = planPipeline(toConfig(outputs), { outDir: folder.out })
  return profilePipeline(plan, { env: {}, ...options })
}

describe('profilePipeline', () => {
  test('the profile of every format equals one computed from NDJSON rows without DuckDB', async () => {
    const outputs: Outputs = [{ format: 'ndjson', path: 'out/n/{table}.ndjson' }]
    const { files, runId } = await publish(outputs)
    const found = await profile(outputs)
    const expected = await Promise.all(
      files.map(async ({ table, path, columns }, at) => {
        const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
        const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
        const plain = { ...found.tables[at], columns: checkHistograms(found.tables[at]?.columns ?? [], rows) }
        expect(plain).toEqual(profileOfRows(table, rows, columns))
        return found.tables[at]
      }),
    )
    expect(runProfileSchema.parse(found)).toEqual(found)
    expect(found.tables).toHaveLength(files.length)
    expect(found).toMatchObject({ version: 1, pipeline: 'products', runId })
    const others: Outputs[] = [
      [{ format: 'parquet', path: 'out/p/{table}.parquet' }],
      [{ format: 'ndjson', path: 'out/nz/{table}.ndjson.gz' }],
      [{ format: 'csv', path: 'out/c/{table}.csv.gz' }],
      [
        {
          format: 'csv',
          path: 'out/d/{table}.csv',
          delimiter: ';',
          quote: "'",
          quoteAll: true,
          bom: true,
          lineBreak: 'crlf',
          escapeFormulas: true,
          decimalSeparator: ',',
        },
      ],
      [{ format: 'duckdb', path: 'out/db/x.duckdb' }],
      [{ format: 'xlsx', path: 'out/w/{pipeline}.xlsx' }],
    ]
    for (const each of others) {
      await publish(each)
      const { tables: again } = await profile(each)
      expect({ of: each, tables: again }).toEqual({ of: each, tables: expected })
    }
  })

  test.each([
    { format: 'csv', path: 'out/{table}.csv' },
    { format: 'csv', path: 'out/{table}.csv.gz', lineBreak: 'crlf' },
    { format: 'xlsx', path: 'out/{pipeline}.xlsx' },
  ] satisfies Outputs)('profile reads texts with other line breaks than those of the file: %o', async (output) => {
    const texts = ['one\r\ntwo', 'one\ntwo', 'one']
    const products = generateProducts(9, 5).map((product, at) => ({ ...product, name: { nl: texts[at % 3] } }))
    const broken = await RunFolder.create()
    try {
      await broken.write('input.ndjson', toStream(products))
      const named = { tables: { products: { columns: ['id', { column: 'name', from: 'name', locale: 'nl' }] } } }
      const profileOf = async (outputs: Outputs) => {
        await broken.run({ ...named, outputs })
        const plan = planPipeline({ ...toConfig(outputs), ...named }, { outDir: broken.out })
        return (await profilePipeline(plan, { env: {} })).tables
      }
      const expected = await profileOf([{ format: 'parquet', path: 'out/{table}.parquet' }])
      expect(expected).toMatchObject([{ rows: products.length, columns: [{}, { distinct: 3 }] }])
      expect(await profileOf([output])).toEqual(expected)
    } finally {
      await broken.remove()
    }
  })

  test('the profile that a run counts agrees with the one of DuckDB in all common members', async () => {
    const outputs: Outputs = [{ format: 'parquet', path: 'out/r/{table}.parquet' }]
    await publish(outputs)
    const run = runProfileSchema.parse(JSON.parse(await folder.readOut('r/_profile.json')))
    const deep = await profile(outputs)
    for (const [at, table] of run.tables.entries())
      for (const [index, column] of table.columns.entries())
        expect({ ...deep.tables[at]?.columns[index], ...column }).toEqual(cutAsRun(deep.tables[at]?.columns[index]))
    expect(deep.localized).toEqual(run.localized)
    expect(run.localized).not.toEqual([])
  })

  test('profile reads all files of one of several outputs of a table', async () => {
    const outputs: Outputs = [
      { format: 'csv', path: 'out/s/{table}.csv' },
      { format: 'parquet', path: 'out/s/{table}.parquet', rowsPerFile: 90 },
    ]
    const { tables: counted, files } = await publish(outputs)
    expect(files.filter(({ format }) => format === 'parquet').length).toBeGreaterThan(4)
    const found = await profile(outputs)
    expect(found.tables.map(({ name, rows }) => [name, rows])).toEqual(counted.map(({ name, rows }) => [name, rows]))
  })

  test('profile selects tables and columns, and suggests the nearest name for an unknown one', async () => {
    const outputs: Outputs = [{ format: 'parquet', path: 'out/t/{table}.parquet' }]
    await publish(outputs)
    const one = await profile(outputs, { tables: ['photos'], columns: ['photo_type', 'position'] })
    expect(one.tables.map(({ name }) => name)).toEqual(['photos'])
    expect(one.tables[0]?.columns.map(({ name }) => name)).toEqual(['position', 'photo_type'])
    const ofAll = await profile(outputs, { columns: ['status'] })
    expect(ofAll.tables.map(({ name }) => name)).toEqual(['products'])
    await expect(profile(outputs, { tables: ['foto'] })).rejects.toThrow('expected one of products, photos')
    await expect(profile(outputs, { columns: ['statsu'] })).rejects.toThrow('did you mean "status"?')
  })

  test('profile refuses a pipeline without a published run, and files changed since', async () => {
    const outputs: Outputs = [{ format: 'csv', path: 'out/x/{table}.csv' }]
    await expect(profile(outputs)).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
      title: 'Nothing is published yet',
    })
    const { files } = await publish(outputs)
    const path = files[0]?.path ?? ''
    await appendFile(path, 'more')
    await expect(profile(outputs)).rejects.toMatchObject({ code: 'SOURCE_CHANGED' })
    await rm(path)
    await expect(profile(outputs)).rejects.toThrow('that the manifest lists, got no file')
  })

  test('if no table of the config is published, the error names those that are', async () => {
    const outputs: Outputs = [{ format: 'csv', path: 'out/n/{table}.csv', tables: ['photos'] }]
    await publish(outputs)
    await expect(profile(outputs, { tables: ['products'] })).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
      message: expect.stringMatching(/config \(products, photos, descriptions\), got photos$/) as string,
    })
  })

  test('profile names the pipeline of a file that DuckDB cannot read', async () => {
    const outputs: Outputs = [{ format: 'parquet', path: 'out/b/{table}.parquet' }]
    const { files } = await publish(outputs)
    const { path = '', bytes = 0 } = files[0] ?? {}
    await folder.write(path.slice(folder.path.length + 1), 'x'.repeat(bytes))
    const expected = { code: 'SOURCE_FAILED', message: expect.stringContaining('products: expected tables') as string }
    await expect(profile(outputs)).rejects.toMatchObject(expected)
  })

  test('an interrupted profile leaves no temporary files', async () => {
    const outputs: Outputs = [{ format: 'csv', path: 'out/i/{table}.csv' }]
    await publish(outputs)
    const temporary = await mkdtemp(join(folder.path, 'temporary-'))
    vi.stubEnv('TMPDIR', temporary)
    try {
      const interrupted = new AbortController()
      const running = profile(outputs, { signal: interrupted.signal })
      setTimeout(() => interrupted.abort(), 30)
      await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' })
      expect(await readdir(temporary)).toEqual([])
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
