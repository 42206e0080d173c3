import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contractNames,
  contracts,
  type Contract,
  type ContractName,
  withSchema,
} from '../../../src/contracts/contracts.ts'
import {
  boolean,
  choice,
  code,
  float,
  identifier,
  integer,
  list,
  localized,
  money,
  nested,
  text,
  timestamp,
} from '../../../src/contracts/field-kinds.ts'
import type { Field } from '../../../src/contracts/fields.ts'
import { referenceSizes } from '../../../src/sandbox/data/delivery-profile.ts'
import { toProductId } from '../../../src/sandbox/data/identity.ts'
import { createRecordReader, createRecordWriter } from '../../../src/sandbox/data/record-writer.ts'
import { cases, someOf } from '../../depth.ts'
import { countDeliveries } from './count-deliveries.ts'
import { createRecordGenerator } from './create-record-generator.ts'

const sampleSize = 2000

describe.each(someOf(contractNames, 'v4/product', 'v4/organization', 'v3/news-item'))('records of %s', (name) => {
  const contract: Contract = contracts[name]
  const texts = sampleTexts(contract)
  const records = texts.map((record) => contract.schema.parse(JSON.parse(record)) as Record<string, unknown>)
  const deliveries = countDeliveries(contract.fields, records)

  test('records of a contract have no field and no listed value that the contract does not know', () => {
    expect(deliveries.unknown).toEqual([])
  })

  test('records of a contract fill every field of it at least once', () => {
    const never = [...deliveries.byPath].filter(([, { filled }]) => filled === 0).map(([path]) => path)
    expect(never).toEqual([])
  })

  test('records of a contract have every optional field null at least once and missing at least once', () => {
    const optional = [...deliveries.byPath].filter(([path]) => !isAlwaysThere(path, deliveries.referencePaths))
    const never = optional.filter(([, { nulls, missing }]) => nulls === 0 || missing === 0).map(([path]) => path)
    expect(never).toEqual([])
  })

  test('records of a contract have unique ids', () => {
    expect(new Set(records.map((record) => record['id'])).size).toBe(sampleSize)
  })

  test('records of a contract are written as JSON.stringify writes them', () => {
    expect(texts.filter((record) => JSON.stringify(JSON.parse(record)) !== record)).toEqual([])
  })
})

test('every seed and index of every contract gives a valid record, the same each time', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...contractNames),
      fc.maxSafeInteger(),
      fc.nat({ max: 10_000_000 }),
      fc.constantFrom(['nl', 'fr'], ['sv'], ['en_AU', 'x-"odd"', 'de']),
      (name, seed, index, locales) => {
        const contract: Contract = contracts[name]
        const record = createRecordGenerator(contract, { seed, locales })(index)
        expect(contract.schema.safeParse(record).error).toBeUndefined()
        expect(createRecordGenerator(contract, { seed, locales })(index)).toEqual(record)
      },
    ),
    { numRuns: cases(60) },
  )
})

test('a record does not depend on those made before it', () => {
  const sequence = createRecordWriter(contracts['v4/product'], { seed: 5 })
  const inOrder = Array.from({ length: 50 }, (_, index) => sequence(index))
  const random = createRecordWriter(contracts['v4/product'], { seed: 5 })
  expect(random(49)).toBe(inOrder[49])
  expect(random(7)).toBe(inOrder[7])
  expect(random(49)).toBe(inOrder[49])
})

test('members of a lazy record equal those of the record', () => {
  fc.assert(
    fc.property(fc.constantFrom(...contractNames), fc.nat(), fc.nat({ max: 100_000 }), (name, seed, index) => {
      const contract: Contract = contracts[name]
      const options = { seed, products: 1 + (seed % 100) }
      const record = createRecordGenerator(contract, options)(index)
      const read = createRecordReader(contract, options)(index)
      for (const field of [...contract.fields.keys(), 'toString']) {
        expect(read[field]).toEqual(Object.hasOwn(record, field) ? record[field] : undefined)
      }
    }),
    { numRuns: cases(60) },
  )
})

test('links to products stay within the number of products, and no product replaces itself', () => {
  for (const products of [2, 25]) {
    const ids = new Set(Array.from({ length: products }, (_, index) => toProductId(index)))
    const [news, media, corrections, replaced] = (
      ['v4/news-item', 'v4/media', 'v4/correction', 'v4/product'] as const
    ).map((name) => make(name, 200, products))
    const linked = [
      ...[...news!, ...media!].flatMap((record) => record['products'] ?? []),
      ...corrections!.flatMap((correction) => correction['product'] ?? []),
      ...replaced!.flatMap((product) => product['replacement'] ?? []),
    ]
    expect(linked.length).toBeGreaterThan(400)
    expect(new Set(linked)).toEqual(ids)
    for (const product of replaced!) expect(product['replacement']).not.toBe(product['id'])
  }
})

test('another seed of the generator gives other records', () => {
  const [one, two] = [1, 2].map((seed) => createRecordWriter(contracts['v4/product'], { seed })(0))
  expect(one).not.toBe(two)
})

test('a linked brand is the brand of that id in the list of brands, in v3 and v4', () => {
  const metaOf = new Map(make('v4/brand', referenceSizes['brand'] ?? 0).map((brand) => [brand['id'], brand['meta']]))
  for (const product of [...make('v4/product', 50), ...make('v3/product', 50)]) {
    for (const brand of (product['brands'] ?? []) as Record<string, unknown>[]) {
      expect(metaOf.get(brand['id'])).toEqual(brand['meta'])
    }
  }
})

test('a product number is the same generated product in v3 and v4', () => {
  const [v3, v4] = [make('v3/product', 12).at(-1), make('v4/product', 12).at(-1)]
  const shared = ['id', 'name', 'publicPrice', 'brands', 'vat', 'conservation'] as const
  for (const field of shared) expect(v3?.[field]).toEqual(v4?.[field])
})

test('v3 delivers its categories as single objects and its descriptions in HTML and Markdown', () => {
  const products = make('v3/product', 200)
  expect(products.filter((product) => Array.isArray(product['apbCategory']))).toEqual([])
  expect(JSON.stringify(products)).toMatch(/"content":\{"nl":\{"html":"<p>.*?","markdown":"/)
})

test('only a replaced product in the synthetic catalogue names its replacement', () => {
  for (const product of make('v4/product', 300)) {
    expect(typeof product['replacement'] === 'string').toBe(product['status'] === 'replaced')
    expect(product['replacement']).not.toBe(product['id'])
  }
})

test('only suppliers in the synthetic catalogue have contact information', () => {
  const organizations = make('v4/organization', 300)
  const others = organizations.filter((organization) => organization['type'] !== 'supplier')
  expect(others.length).toBeGreaterThan(20)
  for (const organization of others) expect(organization['contactInformation'] ?? null).toBeNull()
})

test('a news item links only records of the kind that its type names', () => {
  const links = { product: 'products', brand: 'brands', public_category: 'categories' }
  for (const [type, field] of Object.entries(links)) {
    const filled = make('v4/news-item', 300).filter((item) => Array.isArray(item[field]))
    expect(new Set(filled.map((item) => item['type']))).toEqual(new Set([type]))
  }
})

test('synthetic codes come as text with their leading zeros and as numbers without', () => {
  const products = make('v4/product', 300)
  const gtins = products.map((product) => product['eanGtin14']).filter((gtin) => gtin !== null && gtin !== undefined)
  expect(gtins.some((gtin) => typeof gtin === 'string' && /^0\d{13}$/.test(gtin))).toBe(true)
  expect(gtins.some((gtin) => typeof gtin === 'number' && gtin < 1e13)).toBe(true)
  expect(products.some((product) => /^0\d{6}$/.test(String(product['cnk'])))).toBe(true)
  expect(products.some((product) => typeof product['cnk'] === 'number')).toBe(true)
})

test('trade item numbers have a right check digit', () => {
  for (const product of make('v4/product', 300)) {
    for (const field of ['eanGtin8', 'eanGtin12', 'eanGtin13', 'eanGtin14']) {
      if (typeof product[field] !== 'number' && typeof product[field] !== 'string') continue
      const digits = Array.from(String(product[field]), Number).toReversed()
      expect(digits.reduce((sum, digit, place) => sum + digit * (place % 2 === 0 ? 1 : 3), 0) % 10).toBe(0)
    }
  }
})

test('synthetic descriptions hold quotes, separators and line breaks that break naive readers of lines and CSV', () => {
  const texts = JSON.stringify(make('v4/product', 300).map((product) => product['descriptions']))
  for (const trap of ['\\n', '\\r\\n', '\\"', '|', ',', "'", '&', 'é', 'ë', 'ï']) expect(texts).toContain(trap)
  expect(texts).toMatch(/[\u2000-\u3000]|\p{Emoji_Presentation}/u)
})

test('a field added to a contract is generated with a value of its kind', () => {
  const shape = {
    id: identifier('Id'),
    flag: boolean('Flag'),
    kind: choice('Kind', ['north', 'south']),
    serial: code('Serial', { length: 5 }),
    weightless: float('Amount'),
    count: integer('Count'),
    fee: money('Fee'),
    note: text('Note'),
    seenAt: timestamp('Seen'),
    label: localized('Label'),
    parts: list('Parts', nested('part', 'Part', { id: integer('Id'), tags: list('Tags', text('Tag')) })),
  }
  const fields = new Map<string, Field>(Object.entries(shape))
  const contract = withSchema({ name: 'v9/thing', record: 'thing', plural: 'things', version: 1, fields })
  const records = sampleTexts(contract).map((record) => contract.schema.parse(JSON.parse(record)))
  const { byPath, unknown } = countDeliveries(contract.fields, records)
  expect(unknown).toEqual([])
  expect([...byPath].filter(([, { filled }]) => filled === 0)).toEqual([])
})

function sampleTexts(contract: Contract): string[] {
  const write = createRecordWriter(contract, { seed: 42 })
  return Array.from({ length: sampleSize }, (_, index) => write(index))
}

function make(name: ContractName, count: number, products = 50_000): Record<string, unknown>[] {
  const generate = createRecordGenerator(contracts[name], { seed: 42, products })
  return Array.from({ length: count }, (_, index) => generate(index))
}

/** Ids are never left out. Linked records are few, so their gaps are tested in the lists of their own contracts. */
function isAlwaysThere(path: string, referencePaths: readonly string[]): boolean {
  return /(^|\.)(id|unkeyed)$/.test(path) || referencePaths.some((reference) => path.startsWith(`${reference}.`))
}
