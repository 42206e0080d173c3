import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileScan } from '../../src/kernel/program/compile-scan.ts'
import { cases } from '../depth.ts'
import { planRecords, processAll } from './plan-records.ts'

const text = fc.constantFrom('a', '', null)

const photo = fc.option(
  fc.record(
    { photoType: fc.constantFrom('packshot', 'pillshot', null), formats: fc.record({ large: text }) },
    { requiredKeys: [] },
  ),
  { nil: null, freq: 6 },
)

const product = fc.record(
  {
    photos: fc.option(fc.array(photo, { maxLength: 4 })),
    ean: fc.option(fc.array(fc.constantFrom('5400000000017', null), { maxLength: 3 })),
    publicPrice: fc.constantFrom(820, 0, null),
    name: fc.option(fc.dictionary(fc.constantFrom('nl', 'fr'), text, { noNullPrototype: true })),
  },
  { requiredKeys: [] },
)

const { tables } = planRecords({
  locales: ['nl', 'fr'],
  tables: {
    products: {
      columns: [
        { count: 'photos[]' },
        { column: 'packshots', count: 'photos[]', where: { photoType: 'packshot' } },
        { column: 'large', count: 'photos[].formats.large' },
        { count: 'ean' },
        { has: 'ean' },
        { has: 'publicPrice' },
        { has: 'name' },
        { column: 'has_packshot', has: 'photos[].formats.large', where: { photoType: 'packshot' } },
      ],
    },
  },
})

test('count and has say how many filled values there are, and if there is one, of records of any form', () => {
  const plan = planRecords({})
  fc.assert(
    fc.property(fc.array(product, { minLength: 1, maxLength: 5 }), (products) => {
      const lines = products.map((each, at) => `${JSON.stringify({ id: `M${at}`, ...each })}\n`)
      const rows = processAll({ ...plan, tables }, lines.join('')).flatMap(({ rows: [own = []] }) => own)
      const expected = products.map(({ photos, ean, publicPrice, name }) => {
        const [there, codes] = [
          (photos ?? []).filter((each) => each !== null),
          (ean ?? []).filter((each) => each !== null),
        ]
        const packshots = there.filter(({ photoType }) => photoType === 'packshot')
        const counts = [there.length, packshots.length, there.filter(hasLarge).length, codes.length]
        const names = [name?.['nl'], name?.['fr']].map(Boolean)
        return [...counts, codes.length > 0, typeof publicPrice === 'number', ...names, packshots.some(hasLarge)]
      })
      expect(rows).toEqual(expected)
    }),
    { numRuns: cases(300, 60) },
  )
})

test('a column of count or has is named after its path if nothing else is said', () => {
  expect(tables.flatMap(({ columns }) => columns.map(({ name, from }) => `${name} ${from}`))).toEqual([
    'photos_count count photos[]',
    'packshots count photos[]',
    'large count photos[].formats.large',
    'ean_count count ean',
    'has_ean has ean',
    'has_public_price has publicPrice',
    'has_name_nl has name.nl',
    'has_name_fr has name.fr',
    'has_packshot has photos[].formats.large',
  ])
})

test('the fast path counts by conditions on values alone, without JavaScript for each line', () => {
  const plan = planRecords({})
  const other = planRecords({
    tables: { p: { columns: [{ column: 'x', count: 'photos[]', where: { displayOrder: { from: 2 } } }] } },
  })
  expect(compileScan({ ...plan, tables })?.walked).toEqual([])
  expect(compileScan(other)?.walked).toBe(null)
})

function hasLarge({ formats }: { readonly formats?: { readonly large: string | null } }): boolean {
  return Boolean(formats?.large)
}
