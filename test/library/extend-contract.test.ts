import { Readable } from 'node:stream'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  columnsOf,
  contracts,
  extendContract,
  flattenRecords,
  JsonCell,
  parseRecords,
  readRows,
  splitLines,
  validateRecords,
  type ValidatedRecord,
} from '../../src/streams.ts'
import { toContractJsonSchema } from '../../src/index.ts'
import { collect } from '../streams/collect.ts'

const contract = extendContract('v4/product', {
  artgId: 'text',
  pzn: 'code',
  'names[]': 'text',
  'meta.touchedAt': 'timestamp',
  slogan: 'localized',
  gs1: 'json',
  'box.size': 'integer',
  'photos[].credits.name': 'text',
  'productFamilies[].id': 'integer',
})

const line = JSON.stringify({
  id: 'M1',
  artgId: '12',
  pzn: 34,
  names: ['a', 'b'],
  meta: { touchedAt: 60 },
  slogan: { nl: 'ja' },
  gs1: { a: [1] },
  box: { size: 5 },
  photos: [{ id: 1, credits: { name: 'N' } }],
  productFamilies: [{ id: 7 }, { id: 8 }],
})
const lines = (): Readable => Readable.from([Buffer.from(`${line}\n`)], { objectMode: false })

describe('extendContract', () => {
  test('readRows and the composed stages give typed rows with the added fields', async () => {
    const options = { contract, table: 'products', locales: ['nl'] } as const
    const rows = readRows(options)
    const flat = flattenRecords(options)
    const given = await collect(lines(), rows)
    expect(await collect(lines(), splitLines(), parseRecords(), validateRecords(contract), flat)).toEqual(given)
    const expected = {
      artg_id: '12',
      pzn: '34',
      names: ['a', 'b'],
      meta_touched_at: new Date(60_000),
      slogan_nl: 'ja',
      gs1: new JsonCell('{"a":[1]}'),
      box_size: 5,
    }
    expect(given).toEqual([expect.objectContaining(expected)])
    type Row = Awaited<ReturnType<typeof rows.items> extends AsyncIterable<infer Each> ? Each : never>
    expectTypeOf<Row['artg_id']>().toEqualTypeOf<string | null>()
    expectTypeOf<Row['names']>().toEqualTypeOf<(string | null)[] | null>()
    expectTypeOf<Row['meta_touched_at']>().toEqualTypeOf<Date | null>()
    expectTypeOf<Row['meta_updated_at']>().toEqualTypeOf<Date | null>()
    expectTypeOf<Row['slogan_nl']>().toEqualTypeOf<string | null>()
    expectTypeOf<Row['gs1']>().toEqualTypeOf<JsonCell | null>()
    expectTypeOf<Row['box_size']>().toEqualTypeOf<number | bigint | null>()
    expectTypeOf<Row['name_nl']>().toEqualTypeOf<string | null>()
    expectTypeOf<Row>().not.toHaveProperty('unknown')
  })

  test('records of an extended contract have typed members at any depth', async () => {
    const [record] = await collect(lines(), splitLines(), parseRecords(), validateRecords(contract))
    const { photos, productFamilies, meta } = (record as ValidatedRecord<typeof contract>).record
    const credit: string | null | undefined = photos?.[0]?.credits?.name
    const order: number | bigint | null | undefined = photos?.[0]?.displayOrder
    const family: number | bigint | null | undefined = productFamilies?.[1]?.id
    expect([credit, order, family, meta?.touchedAt]).toEqual(['N', undefined, 8, 60])
    // @ts-expect-error the name is text
    const wrong: number | null | undefined = photos?.[0]?.credits?.name
    expect(wrong).toBe('N')
  })

  test('a list of added objects becomes a child table', async () => {
    const options = { contract, table: 'product_product_families' }
    expect(columnsOf(options).map(({ name }) => name)).toEqual(['product_id', 'position', 'id'])
    expect(await collect(lines(), readRows(options))).toEqual([
      { product_id: 'M1', position: 1, id: 7 },
      { product_id: 'M1', position: 2, id: 8 },
    ])
  })

  test('the same fields give the same contract, and the contract itself is as it was', () => {
    expect(extendContract('v4/brand', { a: 'text' })).toBe(extendContract('v4/brand', { a: 'text' }))
    expect(extendContract('v4/brand', { a: 'text' })).not.toBe(extendContract('v4/brand', { a: 'code' }))
    expect(contracts['v4/brand'].fields.has('a')).toBe(false)
    expect(extendContract('v4/brand', {})).toBe(contracts['v4/brand'])
  })

  test('the JSON Schema of an extended contract has the added fields', () => {
    const { properties } = toContractJsonSchema(contract) as { properties: Record<string, unknown> }
    expect(properties['artgId']).toEqual({ description: 'Beyond the contract', type: ['string', 'null'] })
    expect(properties['gs1']).toEqual({ description: 'Beyond the contract' })
    expect(properties['productFamilies']).toMatchObject({
      items: { properties: { id: { type: ['integer', 'null'] } } },
    })
  })

  test('extendContract throws with every problem of the fields', () => {
    const extra = { weight: 'text', 'a b': 'text', x: 'txt' as 'text' } as const
    expect(() => void extendContract('v4/product', extra)).toThrow(
      /^fields beyond v4\/product: path "weight": .*\npath "a b": .*\npath "x": expected one of text, .*, got "txt"$/,
    )
  })
})
