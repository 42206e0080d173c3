import { Readable } from 'node:stream'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { toContractJsonSchema } from '../../src/index.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import {
  columnsOf,
  contracts,
  flattenRecords,
  parseRecords,
  readRows,
  splitLines,
  validateRecords,
} from '../../src/streams.ts'

const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: 20, seed: 5 })])
const contract = contracts['v4/product']
const photos = { table: 'product_photos', columns: ['id', 'photoType'], locales: ['nl'] } as const

const parse = () => Readable.from([lines]).pipe(splitLines()).pipe(parseRecords())

describe('stages with the name of a contract', () => {
  test('validateRecords gives the records of the contract that is named, with its types', async () => {
    const named = parse().pipe(validateRecords('v4/product'))
    const given = parse().pipe(validateRecords(contract))
    expectTypeOf(named).toEqualTypeOf(given)
    expect(await named.toArray()).toEqual(await given.toArray())
  })

  test('flattenRecords gives the rows of the contract that is named, with their types', async () => {
    const named = parse()
      .pipe(validateRecords('v4/product'))
      .pipe(flattenRecords({ contract: 'v4/product', ...photos }))
    const given = parse()
      .pipe(validateRecords('v4/product'))
      .pipe(flattenRecords({ contract, ...photos }))
    expectTypeOf(named).toEqualTypeOf(given)
    const rows = await named.toArray()
    expect(rows.length).toBeGreaterThan(3)
    expect(rows).toEqual(await given.toArray())
  })

  test('readRows gives the rows of the contract that is named, with their types', async () => {
    const named = Readable.from([lines]).pipe(readRows({ contract: 'v4/product', ...photos }))
    const given = Readable.from([lines]).pipe(readRows({ contract, ...photos }))
    expectTypeOf(named).toEqualTypeOf(given)
    const rows = await named.toArray()
    expect(rows.length).toBeGreaterThan(3)
    expect(rows).toEqual(await given.toArray())
  })

  test('readRows by a list, columnsOf and toContractJsonSchema take the name of a contract', () => {
    const list = { table: 'codes', each: 'ean[]' } as const
    expectTypeOf(readRows({ contract: 'v4/product', ...list })).toEqualTypeOf(readRows({ contract, ...list }))
    expect(columnsOf({ contract: 'v4/product', ...photos })).toEqual(columnsOf({ contract, ...photos }))
    expect(toContractJsonSchema('v4/product')).toEqual(toContractJsonSchema(contract))
  })

  test('a misspelt name of a contract or a table does not compile, and is refused with the closest', () => {
    const meant = 'did you mean "v4/product"?'
    // @ts-expect-error
    expect(() => validateRecords('v4/prodct')).toThrow(meant)
    // @ts-expect-error
    expect(() => flattenRecords({ contract: 'v4/prodct', table: 'products' })).toThrow(meant)
    // @ts-expect-error
    expect(() => columnsOf({ contract: 'v4/prodct', table: 'products' })).toThrow(meant)
    // @ts-expect-error
    expect(() => readRows({ contract: 'v4/prodct', table: 'products' })).toThrow(meant)
    // @ts-expect-error
    expect(() => readRows({ contract: 'v4/product', table: 'product_photo' })).toThrow('did you mean "product_photos"?')
    // @ts-expect-error
    expect(() => readRows({ contract: 'v4/product', table: 'products', columns: ['nmae'] })).toThrow('"name"?')
  })
})
