import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue, csv, ndjson, parquet, runPipeline, type TableSink } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { queryDuckDb } from '../formats/query-duckdb.ts'

const exported = Buffer.concat([...generateLines({ contract: 'v4/product', records: 40, seed: 7 })])
const wrong = '{"meta":{"total":41,"index":40},"result":{"id":"M0","photos":[{"displayOrder":"first"}]}}\n'
let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-tables-'))
  file = join(folder, 'export.ndjson')
  await writeFile(file, exported)
})

afterAll(() => rm(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)

test('three tables come from one reading, with the bytes of a run of the same config, from a file and from a stream', async () => {
  await runPipeline(
    {
      name: 'same',
      source: { files: file, contract: 'v4/product' },
      where: { status: 'active' },
      locales: ['nl'],
      tables: { products: { columns: ['id', 'cnk', 'publicPrice'] }, product_photos: { each: 'photos[]' } },
      outputs: [{ format: 'csv', delimiter: ';', path: 'run/{table}.csv' }],
    },
    { outDir: folder },
  )
  for (const [name, source] of Object.entries({ file, stream: Readable.from([exported]) })) {
    const products = catalogue('v4/product').from(source).where({ status: 'active' })
    const report = await products.tables(
      {
        products: csv(at(`${name}/products.csv`), { columns: ['id', 'cnk', 'publicPrice'], delimiter: ';' }),
        product_photos: csv(at(`${name}/photos.csv`), { delimiter: ';' }),
        ean: ndjson(at(`${name}/ean.ndjson.gz`), { each: 'ean[]' }),
      },
      { locales: ['nl'], manifest: undefined, profile: undefined, report: undefined },
    )
    expect(report.sources.map((each) => each.name)).toEqual([name === 'file' ? file : '<stream>'])
    expect(products.report()).toBe(report)
    expect(report).toMatchObject({ completeness: { status: 'proven' }, pipeline: 'products' })
    expect(report.files.map(({ path }) => path)).toHaveLength(3)
    for (const [own, table] of [
      ['products', 'products'],
      ['photos', 'product_photos'],
    ] as const)
      expect(await readFile(at(`${name}/${own}.csv`), 'utf8')).toBe(await readFile(at(`run/${table}.csv`), 'utf8'))
    expect((await readdir(at(name))).toSorted()).toEqual([
      'ean.ndjson.gz',
      'photos.csv',
      'products.csv',
      'products.csv.rejects.ndjson',
      'products.csv.run.json',
    ])
  }
})

test('other outputs of a config hold tables too, and readers of others find what the report counts', async () => {
  const products = catalogue('v4/product').from(file)
  const { tables } = await products.tables({
    products: parquet(at('lake/products.parquet')),
    product_photos: { format: 'parquet', path: at('lake/photos.parquet'), compression: 'snappy' },
  })
  for (const [name, { rows }] of [
    ['products', tables[0]],
    ['photos', tables[1]],
  ] as [string, { rows: number }][])
    expect(await queryDuckDb(`SELECT count(*) FROM '${at(`lake/${name}.parquet`)}'`)).toEqual([[String(rows)]])
})

test('a source that is cut off, or has rejects, publishes nothing, and the report says why', async () => {
  const sinks = { products: csv(at('refused/products.csv')) }
  const cut = catalogue('v4/product').from(Readable.from([exported.subarray(0, 50_000)]), { rejects: { limit: 1 } })
  await expect(cut.tables(sinks)).rejects.toMatchObject({ code: 'SOURCE_INCOMPLETE' })
  expect(cut.report().completeness.status).toBe('incomplete')
  const rejected = catalogue('v4/product').from(Readable.from([exported, wrong]), { completeness: 'report' })
  await expect(rejected.tables(sinks)).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS' })
  expect(rejected.report().rejects).toMatchObject({ count: 1 })
  expect(await readdir(at('refused'))).toEqual(['products.csv.rejects.ndjson'])
  const limited = catalogue('v4/product').from(Readable.from([exported, wrong]), {
    completeness: 'report',
    rejects: { limit: '5%' },
  })
  expect(await limited.tables(sinks)).toMatchObject({ rejects: { count: 1 }, ledger: { accepted: 40 } })
})

test('an aborted run publishes nothing and closes its stream; what a callback throws is passed on', async () => {
  const controller = new AbortController()
  const stream = new Readable({ read: () => undefined })
  stream.push(exported)
  const stalled = catalogue('v4/product').from(stream)
  const running = stalled.tables({ products: csv(at('aborted/products.csv')) }, { signal: controller.signal })
  setTimeout(() => controller.abort(), 50)
  await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(stream.destroyed).toBe(true)
  const own = new Error('own')
  const thrown = catalogue('v4/product')
    .from(file)
    .tables(
      { products: csv(at('aborted/products.csv')) },
      {
        onProgress: () => {
          throw own
        },
      },
    )
  await expect(thrown).rejects.toBe(own)
  expect(await readdir(at('aborted')).catch(() => [])).toEqual([])
})

test.each<[string, Readonly<Record<string, TableSink>>, object?]>([
  ['no sink', {}],
  ['a path in place of a sink', { products: 'products.csv' as unknown as TableSink }],
  ['an unknown table', { product: csv('x.csv') }],
  ['an unknown column', { products: csv('x.csv', { columns: ['idd'] }) }],
  ['an unknown option', { products: csv('x.csv') }, { local: ['nl'] }],
  ['one path twice', { products: csv('x.csv'), product_photos: csv('x.csv') }],
])('%s is refused by a CatalogueError before anything is opened', async (_, sinks, options) => {
  const running = catalogue('v4/product').from('no such file').tables(sinks, options)
  await expect(running).rejects.toMatchObject({ code: expect.stringMatching(/^(USAGE|CONFIG_INVALID)$/) as string })
})

test.each([
  ['no path', () => csv(undefined as unknown as string)],
  ['an unknown option', () => csv('x.csv', { delimitr: ';' } as object)],
  ['options that are none', () => parquet('x.parquet', 1 as never)],
])('%s of a sink is refused at once', (_, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'USAGE' }) as Error)
})
