import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  catalogue,
  CatalogueError,
  checkPipeline,
  type ContractName,
  contracts,
  csv,
  definePipeline,
  type PipelineConfig,
  type RowOf,
  type Rows,
  service,
} from '../../src/index.ts'
import { readRows, type TableRow } from '../../src/streams.ts'

/* The compiler refuses every misspelt name, and so does a run: each stands beside its correct twin. */

const contract = contracts['v4/product']
const products = catalogue('v4/product').from('products.ndjson')
const config = { name: 'products', source: { files: 'products.ndjson', contract: 'v4/product' } } as const
const access = { baseUrl: 'http://localhost', keyId: 'id', keySecret: 'a secret text' }
const query = { ...access, endpoint: 'v4/products/query' } as const

const names: Record<string, { readonly right: () => unknown; readonly wrong: () => unknown }> = {
  'a contract': {
    right: () => catalogue('v4/product'),
    // @ts-expect-error
    wrong: () => catalogue('v4/produkt'),
  },
  'a table': {
    right: () => readRows({ contract, table: 'product_photos' }),
    // @ts-expect-error
    wrong: () => readRows({ contract, table: 'product_fotos' }),
  },
  'a column': {
    right: () => readRows({ contract, table: 'products', columns: ['id', 'publicPrice', 'brands[0].name'] }),
    // @ts-expect-error
    wrong: () => readRows({ contract, table: 'products', columns: ['id', 'publicPrize', 'brands[0].name'] }),
  },
  'a path in where': {
    right: () => readRows({ contract, table: 'products', where: { 'meta.updatedAt': { from: '2026-01-01' } } }),
    // @ts-expect-error
    wrong: () => readRows({ contract, table: 'products', where: { 'meta.updatedOn': { from: '2026-01-01' } } }),
  },
  'an operator in where': {
    right: () => readRows({ contract, table: 'products', where: { publicPrice: { until: 100 } } }),
    // @ts-expect-error
    wrong: () => readRows({ contract, table: 'products', where: { publicPrice: { untill: 100 } } }),
  },
  'a locale': {
    right: () => readRows({ contract, table: 'products', locales: ['nl', 'en_AU'] }),
    // @ts-expect-error
    wrong: () => readRows({ contract, table: 'products', locales: ['nl', 'nk'] }),
  },
  'the format of an output': {
    right: () => definePipeline({ ...config, outputs: [{ format: 'parquet' }] }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, outputs: [{ format: 'parket' }] }),
  },
  'an option of an output': {
    right: () => definePipeline({ ...config, outputs: [{ format: 'csv', delimiter: ';' }] }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, outputs: [{ format: 'csv', delimeter: ';' }] }),
  },
  'the mode of an output': {
    right: () => definePipeline({ ...config, outputs: [{ format: 'duckdb', mode: 'merge' }] }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, outputs: [{ format: 'duckdb', mode: 'upsert' }] }),
  },
  'the preset of a rule': {
    right: () => definePipeline({ ...config, expect: [{ preset: 'vat_rates' }] }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, expect: [{ preset: 'vat_rate' }] }),
  },
  'an option of readRows': {
    right: () => readRows({ contract, table: 'products', completeness: 'report' }),
    // @ts-expect-error
    wrong: () => readRows({ contract, table: 'products', completness: 'report' }),
  },
  'the field of a sorting of the service': {
    right: () =>
      catalogue('v4/product')
        .from(service({ ...query, sorting: { cnk: 'ASC' } }))
        .rows('products'),
    wrong: () =>
      catalogue('v4/product')
        // @ts-expect-error
        .from(service({ ...query, sorting: { cnkk: 'ASC' } }))
        .rows('products'),
  },
  'a filter of the service': {
    right: () =>
      catalogue('v4/product')
        .from(service({ ...query, filter: { status: ['active'] } }))
        .rows('products'),
    wrong: () =>
      catalogue('v4/product')
        // @ts-expect-error
        .from(service({ ...query, filter: { statsu: ['active'] } }))
        .rows('products'),
  },
  'a table to write': {
    right: () =>
      products.tables({ products: csv('a.csv'), mine: csv('b.csv', { each: 'ean[]' }) }, { signal: stopped }),
    wrong: () =>
      // @ts-expect-error
      products.tables({ prodcuts: csv('a.csv'), mine: csv('b.csv', { each: 'ean[]' }) }, { signal: stopped }),
  },
  'the type of a column': {
    right: () => readRows({ contract, table: 'products', columns: [{ from: 'meta.createdAt', as: 'date' }] }),
    // @ts-expect-error
    wrong: () => readRows({ contract, table: 'products', columns: [{ from: 'meta.createdAt', as: 'day' }] }),
  },
  'a column of the rows of a catalogue': {
    right: () => products.rows('products', { columns: ['cnk'], locales: ['nl'] }),
    // @ts-expect-error
    wrong: () => products.rows('products', { columns: ['ckn'], locales: ['nl'] }),
  },
  'a condition on a catalogue': {
    right: () => products.where({ status: 'active' }).rows('products'),
    // @ts-expect-error
    wrong: () => products.where({ statsu: 'active' }).rows('products'),
  },
  'a column of a pipeline': {
    right: () =>
      definePipeline({ ...config, tables: { products: { columns: ['publicPrice', { count: 'photos[]' }] } } }),
    wrong: () =>
      // @ts-expect-error
      definePipeline({ ...config, tables: { products: { columns: ['publicPrice', { count: 'fotos[]' }] } } }),
  },
  'a column of a list in a pipeline': {
    right: () => definePipeline({ ...config, tables: { pictures: { each: 'photos[]', columns: ['formats.large'] } } }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, tables: { pictures: { each: 'photos[]', columns: ['format.large'] } } }),
  },
  'the list of a table': {
    right: () => definePipeline({ ...config, tables: { pictures: { each: 'photos[]' } } }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, tables: { pictures: { each: 'fotos[]' } } }),
  },
  'a key of a table': {
    right: () => definePipeline({ ...config, tables: { products: { exclude: ['deprecated'] } } }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, tables: { products: { excludes: ['deprecated'] } } }),
  },
  'a condition of a pipeline': {
    right: () => definePipeline({ ...config, where: { 'photos[]': { some: { displayOrder: 1 } } } }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, where: { 'photos[]': { some: { displayOrdr: 1 } } } }),
  },
  'the table of an output': {
    right: () => definePipeline({ ...config, outputs: [{ format: 'csv', tables: ['product_photos'] }] }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, outputs: [{ format: 'csv', tables: ['product_fotos'] }] }),
  },
  'the table of a rule': {
    right: () => definePipeline({ ...config, tables: { a: {} }, expect: [{ table: 'a', rows: { from: 1 } }] }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, tables: { a: {} }, expect: [{ table: 'b', rows: { from: 1 } }] }),
  },
  'the column of a rule': {
    right: () => definePipeline({ ...config, expect: [{ column: 'public_price', from: 1 }] }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, expect: [{ column: 'public_prize', from: 1 }] }),
  },
  'the type of an added field': {
    right: () => definePipeline({ ...config, contract: { extra: { artgId: 'text' } }, where: { artgId: '1' } }),
    // @ts-expect-error
    wrong: () => definePipeline({ ...config, contract: { extra: { artgId: 'txt' } } }),
  },
  'an added field': {
    right: () =>
      definePipeline({ ...config, contract: { extra: { artgId: 'text' } }, tables: { a: { columns: ['artgId'] } } }),
    wrong: () =>
      // @ts-expect-error
      definePipeline({ ...config, contract: { extra: { artgId: 'text' } }, tables: { a: { columns: ['artId'] } } }),
  },
  'a column of the contract of an endpoint': {
    right: () => definePipeline({ name: 'a', source: { ...query }, tables: { a: { columns: ['cnk'] } } }),
    // @ts-expect-error
    wrong: () => definePipeline({ name: 'a', source: { ...query }, tables: { a: { columns: ['ckn'] } } }),
  },
}

const stopped = AbortSignal.abort()

/** What is wrong with a name, at run time: an error, or a problem of a config. */
async function findWrong(use: () => unknown): Promise<string | null> {
  try {
    const given = await use()
    const { problems } = isConfig(given) ? checkPipeline(given, { env: {} }) : { problems: [] }
    return problems.map(({ message }) => message).join('\n') || null
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    return ['USAGE', 'CONFIG_INVALID'].includes(error.code) ? error.message : null
  }
}

function isConfig(given: unknown): given is PipelineConfig {
  return typeof given === 'object' && given !== null && 'source' in given && 'name' in given
}

describe('a misspelt name does not compile, and a run refuses it', () => {
  test.each(Object.entries(names))('%s', async (_, { right, wrong }) => {
    expect(await findWrong(right)).toBeNull()
    expect(await findWrong(wrong)).not.toBeNull()
  })
})

describe('the rows of a catalogue', () => {
  test('the rows of a catalogue have the types of their table, columns and locales, in every form', async () => {
    type Photo = RowOf<'v4/product', 'nl', 'product_photos'>
    const photos = products.rows('product_photos', { locales: ['nl'] })
    expectTypeOf(photos).toEqualTypeOf<Rows<Photo>>()
    expectTypeOf<ReturnType<typeof photos.toArray>>().resolves.toEqualTypeOf<Photo[]>()
    expectTypeOf(photos.batches(2)).toEqualTypeOf<Rows<Photo[]>>()
    expectTypeOf(photos.map(({ position }) => position)).toEqualTypeOf<Rows<number>>()
    expectTypeOf(photos.filter((row) => row.position > 1)).toEqualTypeOf<Rows<Photo>>()
    expectTypeOf<Parameters<Parameters<typeof photos.forEach>[0]>>().toEqualTypeOf<[Photo]>()
    const chosen = products
      .where({ status: 'active' })
      .rows('products', { columns: ['id', 'publicPrice', 'name'], locales: ['nl'] })
    expectTypeOf(chosen).toEqualTypeOf<Rows<RowOf<'v4/product', 'nl', 'products', 'id' | 'publicPrice' | 'name'>>>()
    expectTypeOf(products.rows('mine', { each: 'photos[]', columns: ['id'] })).toEqualTypeOf<
      Rows<RowOf<'v4/product', 'nl', 'product_photos', 'id'>>
    >()
  })

  test('the rows of a catalogue are values by name for names that are known only at run time', () => {
    const name = 'v4/product' as ContractName
    const [table, columns]: [string, string[]] = ['products', ['id']]
    expectTypeOf(products.rows(table)).toEqualTypeOf<Rows<TableRow>>()
    expectTypeOf(products.rows('products', { columns })).toEqualTypeOf<Rows<TableRow>>()
    expectTypeOf(catalogue(name).from('a.ndjson').rows('products')).toEqualTypeOf<Rows<TableRow>>()
  })
})
