import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { renderReport } from '../../../src/cli/render/render-report.ts'
import { colorsFor } from '../../../src/cli/terminal.ts'
import { readSheet } from '../../../src/sources/workbook/read-workbook.ts'
import { RunFolder } from '../run-folder.ts'

const records = [
  { id: 'M1', status: 'active', cnk: '0123456', ean: ['5413000000017'], photos: [{ photoType: 'packshot' }] },
  { id: 'M2', status: 'active', cnk: '0123457', ean: ['5413000000017'] },
  { id: 'M3', status: 'inactive', cnk: '4400575' },
  { id: 'M4', status: 'active', cnk: '0777000', ean: ['5413000000024'] },
  { id: 'M4', status: 'active', cnk: '0777000', ean: ['5413000000024'], publicPrice: 5 },
  { id: 'M5', status: 'active', ean: ['05413000000031'] },
]
const list =
  'code,EAN,price\n4400575,,3\n123456,5413000000017,"1,5"\n,5413000000017,2\n777000,,\n123456,,4\n123457,5413000000031,6\n'

let folder: RunFolder
let file: string

beforeAll(async () => {
  folder = await RunFolder.create()
  const total = records.length
  const lines = records.map((result, index) => JSON.stringify({ meta: { index, total }, result }))
  await folder.write('input.ndjson', lines.join('\n'))
  file = await folder.write('list.csv', list)
})
afterAll(() => folder.remove())

const columns = { cnk: 'code', ean: 'EAN' }

function listed(more: Partial<PipelineConfig> = {}): Partial<PipelineConfig> {
  return {
    sourceIds: { file, columns, keep: [{ column: 'price', as: 'decimal(12,2)' }] },
    tables: { products: { columns: ['id', 'publicPrice'] } },
    ...more,
  }
}

const expected = [
  'list_line,list_result,list_price,id,public_price',
  '2,found by cnk; inactive,3.00,M3,',
  '3,found by cnk,1.50,M1,',
  '4,ambiguous: ean is on 2 products,2.00,,',
  '5,found by cnk,,M4,5',
  '6,found by cnk,4.00,M1,',
  '7,found by cnk; ean is that of M5,6.00,M2,',
]

describe('a pipeline with a list whose rows are its lines', () => {
  test('codes of contract.extra are keys, by themselves and beside others, with and without leading zeros', async () => {
    const own = await RunFolder.create()
    const products = [
      { id: 'A', pzn: '02758089', market: ['X-1'] },
      { id: 'B', pzn: '00000024', market: ['X-2', 'X-3'] },
      { id: 'C', cnk: '4400575' },
    ]
    await own.write('input.ndjson', products.map((product) => `${JSON.stringify(product)}\n`).join(''))
    const codes = await own.write('codes.csv', 'pzn,market,cnk\n2758089,,\n,X-3,\n,,4400575\n,X-9,\n')
    const extra = { pzn: 'code', 'market[]': 'code' } as const
    const sourceIds = { file: codes, columns: { pzn: 'pzn', market: 'market', cnk: 'cnk' }, order: 'list' as const }
    await own.run({ contract: { extra }, sourceIds, completeness: 'report' })
    expect((await own.readOut('products.csv')).trimEnd().split('\n').slice(1)).toEqual([
      '2,found by pzn,A,',
      '3,found by market,B,',
      '4,found by cnk,C,',
      '5,not found,,',
    ])
    await own.run({ contract: { extra }, sourceIds: { file: codes, column: 'pzn' }, maxRemoved: '100%' })
    expect(await own.readOut('products.csv')).toBe('id,status\nA,\n')
    await own.remove()
  })

  test('each line of the list has one row in its order, in every format', async () => {
    const outputs: PipelineConfig['outputs'] = [
      { format: 'csv', path: 'out/{table}.csv' },
      { format: 'ndjson', path: 'out/{table}.ndjson' },
      { format: 'parquet', path: 'out/{table}.parquet' },
      { format: 'xlsx', path: 'out/book.xlsx' },
    ]
    const report = await folder.run(listed({ outputs }))
    expect((await folder.readOut('products.csv')).trimEnd().split('\n')).toEqual(expected)
    const ndjson = (await folder.readOut('products.ndjson')).trimEnd().split('\n')
    expect(JSON.parse(ndjson[1] ?? '')).toMatchObject({ list_line: 3, list_price: '1.50', id: 'M1' })
    const { buffer } = await readFile(`${folder.out}/products.parquet`)
    const rows = await parquetReadObjects({ file: buffer, compressors })
    expect(rows.map(({ id }) => id)).toEqual(['M3', 'M1', null, 'M4', 'M1', 'M2'])
    const sheet = readSheet(await readFile(`${folder.out}/book.xlsx`))
    const shown = expected.map((row) => row.split(',').slice(0, 4))
    expect(sheet.rows.map(({ cells }) => Array.from({ length: 4 }, (_, at) => cells[at] ?? ''))).toEqual(
      shown.map(([line, result, price = '', id]) => [line, result, price.replace(/\.?0+$/, ''), id]),
    )
    expect(report.files.map(({ rows: count }) => count)).toEqual([6, 6, 6, 6])
    expect(report.tables).toEqual([{ name: 'products', rows: 5, filtered: 0, listLines: 6 }])
    expect(renderReport(report, colorsFor(new PassThrough(), {}))).toContain('products, 6 rows')
    expect(await folder.readOut('_report.html')).toContain('6 lines of the list')
    expect(report.missingIds).toMatchObject({ lines: 6, found: 5, ambiguous: 1, rows: 1 })
    expect(report.sourceIds).toMatchObject({ columns, field: 'cnk, ean', rows: 6, repeated: 0 })
  })

  test('lines that a condition leaves out say so, and child tables have the rows of every product with a code', async () => {
    const tables: PipelineConfig['tables'] = {
      products: { columns: ['id'] },
      photos: { each: 'photos[]', columns: ['photoType'] },
    }
    await folder.run(listed({ where: { status: 'active' }, tables }))
    expect(await folder.readOut('products.csv')).toContain('2,"inactive, filtered by where status: active",3.00,\n')
    expect(await folder.readOut('photos.csv')).toBe('product_id,position,photo_type\nM1,1,packshot\n')
    expect(await folder.readOut('_missing.csv')).toContain(
      '2,cnk 4400575,cnk 4400575,"inactive, filtered by where status: active",inactive,M3\n',
    )
  })

  test('a list with several keys selects the products of any, if its order is that of the source', async () => {
    await folder.run(listed({ sourceIds: { file, columns }, where: { status: 'active' }, duplicates: 'last' }))
    expect(await folder.readOut('products.csv')).toBe('id,public_price\nM1,\nM2,\nM4,5\nM5,\n')
    expect(await folder.readOut('_missing.csv')).toMatch(/^line,.*\n2,.*\n4,.*ambiguous,M1\|M2\n$/)
  })

  test('a sample has a row a line too, and lists no line as missing that it has not read', async () => {
    const report = await folder.run(listed({ maxRemoved: '100%' }), { limit: 2 })
    expect(await folder.readOut('products.csv')).toContain('5,not read: a sample,,,\n')
    expect(report.missingIds).toMatchObject({ rows: 1, ambiguous: 1 })
  })

  test.each<[what: string, Partial<PipelineConfig>, message: RegExp]>([
    [
      'keeps rows of earlier runs',
      { outputs: [{ format: 'parquet', path: 'out/{table}', mode: 'merge' }] },
      /order: list: expected files of one run/,
    ],
    ['may repeat a product', { duplicates: 'keep' }, /duplicates: expected last or reject/],
    [
      'has no table of products',
      { tables: { photos: { each: 'photos[]' } } },
      /order: list: expected a table without each/,
    ],
    [
      'has a column of that name',
      { tables: { products: { columns: [{ column: 'list_price', from: 'id' }] } } },
      /got "list_price" twice/,
    ],
  ])('an output that %s has no row a line of a list', async (_, more, message) => {
    const error = await folder.fail(listed(more))
    expect(error?.code).toBe('CONFIG_INVALID')
    expect(`${error?.message} ${JSON.stringify(error)}`).toMatch(message)
  })

  test.each<[what: string, NonNullable<PipelineConfig['sourceIds']>, message: RegExp]>([
    ['a column that is not there', { file: 'F', columns: { cnk: 'CNK' } }, /cnk: expected a column of the header/],
    ['an unknown key', { file: 'F', columns: { cnkk: 'code' } }, /columns: expected an identifier key of v4\/product/],
    [
      'a column beside columns',
      { file: 'F', column: 'code', columns },
      /column: expected either it or columns, got both/,
    ],
    [
      'a kept value of another type',
      { file: 'F', columns, keep: [{ column: 'EAN', as: 'decimal(4,2)' }] },
      /expected decimal\(4,2\) in every row/,
    ],
    [
      'an entry that is no code, if that is an error',
      { file: 'F', columns: { ean: 'price' }, badIdentifiers: 'error' },
      /in every row, got "3" in line 2/,
    ],
  ])('a list is refused for %s', async (_, sourceIds, message) => {
    const error = await folder.fail(listed({ sourceIds: { ...sourceIds, file } }))
    expect(`${error?.message} ${JSON.stringify(error)}`).toMatch(message)
  })
})
