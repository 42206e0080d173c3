import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

const products = [
  {
    id: 'M1',
    status: 'active',
    publicPrice: 820,
    cnk: '0012345',
    brands: [{ id: 1, name: { nl: 'Heron & Acorn' } }],
  },
  { id: 'M2', status: 'active', publicPrice: 1995, packagingUnit: 'Stück', brands: [{ id: 2, name: { nl: 'Egel' } }] },
  { id: 'M3', status: 'inactive', publicPrice: 99, packagingUnit: 'ml', meta: { updatedAt: 1_760_000_000 } },
]

beforeEach(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', products.map((product) => `${JSON.stringify(product)}\n`).join(''))
})
afterEach(() => folder.remove())

/** But for speed: conditions of columns take the reference path. */
async function doubts(config: Partial<PipelineConfig>) {
  const { doubts: found = [] } = await folder.run(config)
  return found.filter(({ kind }) => kind !== 'speed')
}

describe('a condition that nothing meets', () => {
  test.each([
    [{ packagingUnit: 'ML' }, { near: ['ml'] }],
    [{ packagingUnit: 'stuck' }, { near: ['Stück'] }],
    [{ packagingUnit: ['Stükc', 'kg'] }, { near: ['Stück'] }],
    [{ publicPrice: 20 }, { values: ['820', '1995', '99'] }],
    [{ publicPrice: 82_000 }, { near: ['820'] }],
    [{ publicPrice: { from: 1, until: 9 } }, { near: ['{from: 100, until: 900}'] }],
    [{ publicPrice: { from: 1_000_000 } }, { values: ['{from: 99, until: 1995}'] }],
    [{ 'meta.updatedAt': { from: '2026-01-01' } }, { values: ['{from: 2025-10-09, until: 2025-10-09}'] }],
    [{ cnk: '9999999' }, { values: ['0012345'] }],
    [{ brands: { some: { 'name.nl': 'HERON ACORN', id: { not: null } } } }, { near: ['Heron & Acorn'] }],
    [{ any: [{ packagingUnit: 'ML' }, { brands: { some: { 'name.nl': 'heron' } } }] }, { near: ['ml'] }],
    [{ brands: { some: { id: null, 'name.nl': { not: null } } } }, { values: [] }],
  ])('a run warns if no record meets a condition, and suggests similar values: %j', async (where, found) => {
    const [path = ''] = Object.keys(where)
    const text = expect.stringMatching(new RegExp(`^of 3 records none meets where ${path.replace('.', '\\.')}: `))
    expect(await doubts({ where })).toEqual([{ kind: 'condition', severity: 'wrong', count: 3, text, ...found }])
  })

  test('a run names the condition that excluded all records left by earlier conditions', async () => {
    const text = 'of 2 records that meet the conditions before it none meets where packagingUnit: ML'
    expect(await doubts({ where: { status: 'active', packagingUnit: 'ML' } })).toMatchObject([{ text, near: ['ml'] }])
  })

  test('a run warns if no element of a table or no value of a column meets a condition', async () => {
    const where = { 'name.nl': 'HERON ACORN' }
    const tables = {
      products: { columns: ['id', { column: 'brand', from: 'brands[0].id', where }] },
      brands: { each: 'brands[]', columns: ['name'], where },
    }
    expect(await doubts({ tables })).toEqual([
      {
        kind: 'condition',
        severity: 'look',
        count: 2,
        text: 'of 2 elements of brands none meets where name.nl: HERON ACORN',
        near: ['Heron & Acorn'],
      },
      {
        kind: 'condition',
        severity: 'look',
        count: 3,
        text: 'column brand of products has no value in 3 rows; its where is name.nl: HERON ACORN',
        near: ['Heron & Acorn'],
      },
    ])
  })

  test('a run does not warn about conditions with matches, or columns whose lists are empty', async () => {
    const where = { status: 'active' } as const
    const columns = ['id', { column: 'leaflet', from: 'leaflets[0].id', where: { id: { not: 1 } } }]
    expect(await doubts({ where, tables: { products: { columns } } })).toEqual([])
  })

  test('a run refused for removing too much suggests the value that was probably meant', async () => {
    await folder.run()
    const { message } = (await folder.fail({ where: { packagingUnit: 'ML' } })) ?? {}
    expect(message).toMatch(/by where packagingUnit: ML; did you mean ml\?$/)
  })
})

describe('rows that are probably not as intended', () => {
  test('a run warns about a locale without values, and suggests those of the same language', async () => {
    const tables = { products: { columns: ['id', 'packagingUnit'] }, brands: { each: 'brands[]', columns: ['name'] } }
    expect(await doubts({ tables, locales: ['nl-BE', 'de'] })).toEqual([
      {
        kind: 'locale',
        severity: 'look',
        count: 1,
        text: 'no record has a value in the locale nl-BE: its column is empty',
        near: ['nl'],
      },
      {
        kind: 'locale',
        severity: 'note',
        count: 1,
        text: 'no record has a value in the locale de: its column is empty',
        values: ['nl'],
      },
    ])
    expect(await doubts({ tables, locales: ['nl'] })).toEqual([])
  })

  // A range among the conditions of a column takes the reference path.
  test.each([
    ['fast', {}],
    ['reference', { a: { from: 1 } }],
  ])(
    'rows of records without an id have null for their key on the %s path, and the run counts them',
    async (_, where) => {
      const lines = ['{"id":"A","list":[{"a":1}]}', '{"list":[{"a":2},{"a":3}]}', '{"x":1.50,"list":[{"a":4}]}', '7']
      await folder.write('input.ndjson', lines.join('\n'))
      const report = await folder.run({
        source: { contract: 'raw' },
        tables: {
          records: { columns: ['id', { column: 'first', from: 'list[].a', where }] },
          record_list: { each: 'list[]', columns: ['a'] },
        },
        contract: { extra: { 'list[].a': 'integer' } },
        outputs: [
          { format: 'csv', path: 'out/{table}.csv' },
          { format: 'parquet', path: 'out/{table}.parquet' },
        ],
      })
      expect(await folder.readOut('record_list.csv')).toBe('record_id,position,a\nA,1,1\n,1,2\n,2,3\n,1,4\n')
      const text = '3 rows of record_list without record_id: their records have no id'
      expect(report.doubts?.[0]).toEqual({ kind: 'keys', severity: 'look', count: 3, text })
    },
  )

  test('a run counts values beyond the bounds of their field, and names the rule that lists their records', async () => {
    const lines = [
      { id: 'A', vat: 21, publicPrice: 0 },
      { id: 'B', vat: 2100, publicPrice: -5 },
      { id: 'C', vat: 2100, publicPrice: 820 },
    ]
    await folder.write('input.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
    const price = { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' } as const
    const tables = { products: { columns: ['id', 'vat', price] } }
    expect(await doubts({ tables })).toEqual([
      {
        kind: 'values',
        severity: 'look',
        count: 2,
        text: `products.vat: 2 values above 100${advice('{ column: vat, until: 100 }')}`,
        values: ['2100'],
      },
      {
        kind: 'values',
        severity: 'look',
        count: 1,
        text: `products.price: 1 value below 0${advice('{ column: price, from: 0 }')}`,
        values: ['-0.05'],
      },
    ])
    const expected = [
      { column: 'vat', until: 100 },
      { column: 'price', from: 0 },
    ]
    expect(await doubts({ tables, expect: expected })).toEqual([])
  })

  test('a run says which columns prevent the fast path, and why', async () => {
    const where = { id: { not: 9 } }
    const columns = [
      'id',
      { column: 'brand', from: 'brands[0].id', where },
      { column: 'all', from: 'brands[].id', where },
    ]
    expect((await folder.run({ tables: { products: { columns } } })).doubts).toEqual([
      {
        kind: 'speed',
        severity: 'note',
        count: 1,
        text: 'the run takes several times as long for the columns brand, all: the fast path does not know a `where` on the elements of a list without a `locale` beside it',
      },
    ])
  })
})

function advice(rule: string): string {
  return `; a rule of expect, \`${rule}\`, counts them and names their records`
}
