import { describe, expect, test } from 'vitest'
import {
  columnsOf,
  contracts,
  flattenRecords,
  parseRecords,
  splitLines,
  validateRecords,
  type Contract,
  type FlattenRecordsOptions,
  type RejectedLine,
  type TableRow,
} from '../../src/streams.ts'
import { collect, toChunks } from './collect.ts'

const contract = contracts['v4/product']
const line = `${JSON.stringify({
  id: 'M1',
  status: 'active',
  name: { nl: 'Zalf', fr: null },
  prescription: false,
  publicPrice: 820,
  vat: 5.5,
  ean: [12, null],
  cnk: '0012345',
  meta: { createdAt: 1767323045, updatedAt: null },
  photos: [
    { id: 7, photoType: 'packshot', locales: ['nl'] },
    { id: 8, photoType: 'pillshot' },
  ],
})}\n`

describe('flattenRecords', () => {
  test('flattenRecords gives objects with a property a column, by the type of the column', async () => {
    const columns = [
      'id',
      'name',
      'prescription',
      'publicPrice',
      'vat',
      'ean',
      'cnk',
      'meta.createdAt',
      'meta.updatedAt',
    ]
    const [row] = await flatten({ table: 'products', locales: ['nl', 'fr'], columns })
    expect(Object.entries(row ?? {})).toEqual([
      ['id', 'M1'],
      ['name_nl', 'Zalf'],
      ['name_fr', null],
      ['prescription', false],
      ['public_price', 820],
      ['vat', 5.5],
      ['ean', ['12', null]],
      ['cnk', '0012345'],
      ['meta_created_at', new Date('2026-01-02T03:04:05Z')],
      ['meta_updated_at', null],
    ])
  })

  test('flattenRecords gives dates and decimals as exact text and json as a cell of its text', async () => {
    const [row] = await flatten({
      table: 'products',
      columns: [
        { from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
        { from: 'meta.createdAt', as: 'date' },
        { column: 'raw', from: 'ean', as: 'json' },
        { column: 'price', from: 'publicPrice', as: 'json' },
      ],
    })
    expect(JSON.stringify(row)).toBe(
      '{"public_price":"8.20","meta_created_at":"2026-01-02","raw":["12",null],"price":820}',
    )
    expect(row?.['raw']).toMatchObject({ text: '["12",null]', value: ['12', null] })
  })

  test('flattenRecords gives the day of a date-time in the time zone of the option', async () => {
    const day = { column: 'day', from: 'meta.createdAt', as: 'date' }
    const columns = [day, { ...day, column: 'there', timezone: 'Pacific/Kiritimati' }]
    const rows = await flatten({ table: 'products', columns, timezone: 'America/Los_Angeles' })
    expect(rows).toEqual([{ day: '2026-01-01', there: '2026-01-02' }])
    expect(() => columnsOf({ contract, table: 'products', timezone: 'Mars/Phobos' })).toThrow(/unknown time zone/)
    const zones = columnsOf({ contract, table: 'products', columns, timezone: 'America/Los_Angeles' })
    expect(zones.map(({ timezone }) => timezone)).toEqual(['America/Los_Angeles', 'Pacific/Kiritimati'])
  })

  test('flattenRecords gives a row for each element of a child table, by its name or by the path of its list', async () => {
    const expected = [
      { product_id: 'M1', position: 1, id: 7, photo_type: 'packshot' },
      { product_id: 'M1', position: 2, id: 8, photo_type: 'pillshot' },
    ]
    const columns = ['id', 'photoType']
    expect(await flatten({ table: 'product_photos', columns })).toEqual(expected)
    expect(await flatten({ table: 'pictures', each: 'photos[]', columns })).toEqual(expected)
  })

  test('flattenRecords leaves out records, or elements of a child table, that do not meet where', async () => {
    expect(await flatten({ table: 'products', where: { status: 'inactive' } })).toEqual([])
    expect(await flatten({ table: 'products', columns: ['id'], where: { status: 'active' } })).toEqual([{ id: 'M1' }])
    const photos = await flatten({
      table: 'product_photos',
      columns: ['id'],
      where: { photoType: { not: 'packshot' } },
    })
    expect(photos).toEqual([{ product_id: 'M1', position: 2, id: 8 }])
  })

  test('flattenRecords gives the columns that columnsOf lists', async () => {
    for (const table of ['products', 'product_photos', 'product_photo_organizations']) {
      const rows = await flatten({ table, exclude: ['deprecated'] })
      const names = columnsOf({ contract, table, exclude: ['deprecated'] }).map(({ name }) => name)
      for (const row of rows) expect(Object.keys(row)).toEqual(names)
    }
  })

  test("flattenRecords hands a line that can't become its columns without loss to onReject, or fails", async () => {
    const rejects: RejectedLine[] = []
    const options = { table: 'products', columns: [{ from: 'status', as: 'integer' }] }
    expect(await flatten({ ...options, onReject: (reject) => void rejects.push(reject) })).toEqual([])
    expect(rejects).toMatchObject([
      {
        line: 1,
        byteOffset: 0,
        index: null,
        id: 'M1',
        issues: [{ code: 'not_convertible', path: 'status' }],
        raw: line.trim(),
      },
    ])
    await expect(flatten(options)).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS' })
  })

  test('flattenRecords names every mistake in its options, at once if it knows the contract', () => {
    const mistaken = { table: 'products', locales: ['nl', 'Dutch'], columns: ['nane', { from: 'vat', as: 'integr' }] }
    expect(() => flattenRecords({ ...mistaken, contract })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: [
          'table "products": locales[1]: unknown locale "Dutch", expected a code such as nl, fr, en or en_AU',
          'columns[0]: unknown field "nane" in path "nane"; did you mean "name"?',
          'columns[1].as: expected text, integer, float, boolean, timestamp, date, json or decimal(precision,scale), got "integr"; did you mean "integer"?',
        ].join('\n'),
      }),
    )
    const misspelt = { table: 'products', colums: ['id'] } as FlattenRecordsOptions
    expect(() => flattenRecords({ ...misspelt, contract })).toThrow('did you mean "columns"?')
  })

  test('flattenRecords names the tables of the contract for an unknown one', async () => {
    const known: Contract = contract
    expect(() => columnsOf({ contract: known, table: 'product_fotos' })).toThrow(
      /^table "product_fotos": unknown table "product_fotos" of v4\/product, expected one of products, .*; did you mean "product_photos"\?$/,
    )
    await expect(flatten({ table: 'product' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('flattenRecords has room for conversions of however many elements', async () => {
    const photos = Array.from({ length: 5000 }, (_, id) => ({ id, meta: { createdAt: 1767323045 + id } }))
    const many = toChunks(`${JSON.stringify({ id: 'M1', photos })}\n`)
    const columns = ['id', { column: 'made', from: 'meta.createdAt', as: 'text' }]
    const stages = [parseRecords(), validateRecords(contract)] as const
    const rows = await collect(many, splitLines(), ...stages, flattenRecords({ table: 'p', each: 'photos[]', columns }))
    expect(rows).toHaveLength(5000)
    expect(rows.at(-1)).toMatchObject({ id: 4999, made: '2026-01-02T04:27:24Z' })
  })

  test('flattenRecords refuses records of another contract, and items that are no records', async () => {
    const { 'v3/product': other } = contracts
    await expect(flatten({ table: 'products', contract: other })).rejects.toThrow(
      'flattenRecords: expected records of v3/product, got one of v4/product',
    )
    const unchecked = collect(toChunks(line), splitLines(), parseRecords(), flattenRecords({ table: 'products' }))
    await expect(unchecked).rejects.toThrow('flattenRecords: expected the records that validateRecords gives')
  })
})

function flatten(options: FlattenRecordsOptions): Promise<TableRow[]> {
  return collect(toChunks(line), splitLines(), parseRecords(), validateRecords(contract), flattenRecords(options))
}
