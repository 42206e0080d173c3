import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { columnsOf, contracts, JsonCell, toCsv, type ToCsvOptions } from '../../src/streams.ts'
import { collect, collectText } from './collect.ts'

describe('toCsv', () => {
  test('toCsv writes rows of any origin by what their values are', async () => {
    const rows = [
      { id: 'M1', price: 8.2, total: 12345678901234567890n, sold: true, at: new Date('2026-01-02T03:04:05Z') },
      { id: 'M,2', price: null, total: 3, sold: undefined, at: new Date('2026-01-02T03:04:05.006Z') },
    ]
    expect(await write(rows)).toBe(
      'id,price,total,sold,at\nM1,8.2,12345678901234567890,true,2026-01-02T03:04:05Z\n"M,2",,3,,2026-01-02T03:04:05.006Z\n',
    )
  })

  test('toCsv writes lists joined, and objects and lists of them as JSON', async () => {
    const rows = [
      { list: ['a', null, 'b|c'], object: { a: [1n] }, objects: [{ a: 1 }], cell: JsonCell.of(['a']), empty: [] },
      { list: [1, 2n], object: null, objects: [], cell: new JsonCell('1'), empty: [new Date(0)] },
    ]
    expect(await write(rows, { delimiter: ';' })).toBe(
      'list;object;objects;cell;empty\na||b\\|c;"{""a"":[1]}";"[{""a"":1}]";"[""a""]";""\n1|2;;"";1;1970-01-01T00:00:00Z\n',
    )
  })

  test('toCsv writes a column whose values are of several types', async () => {
    const rows = [{ a: 1 }, { a: 'x,y' }, { a: null }, { a: false }, { a: [] }, { a: '' }]
    expect(await write(rows)).toBe('a\n1\n"x,y"\n\nfalse\n""\n""\n')
  })

  test('toCsv names the columns by the first row, or by the option columns', async () => {
    const rows = [
      { b: 1, a: 2 },
      { a: 4, b: 3 },
    ]
    expect(await write(rows)).toBe('b,a\n1,2\n3,4\n')
    expect(await write(rows, { columns: ['a', 'b', 'c'] })).toBe('a,b,c\n2,1,\n4,3,\n')
    expect(await write(rows, { columns: ['a', 'b'], header: false })).toBe('2,1\n4,3\n')
  })

  test('toCsv writes the header without a row, if the columns are named', async () => {
    const columns = columnsOf({ contract: contracts['v4/brand'], table: 'brands', locales: ['nl'] })
    expect(await write([], { columns })).toBe('id,name_nl,meta_created_at,meta_updated_at\n')
    expect(await write([])).toBe('')
  })

  test('toCsv takes a missing key as null, and fails at a key that is no column', async () => {
    expect(await write([{ a: 1, b: 2 }, { b: 3 }])).toBe('a,b\n1,2\n,3\n')
    await expect(
      write([
        { a: 1, b: 2 },
        { a: 1, c: 3 },
      ]),
    ).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: 'csv, row 2: expected no keys but the columns a, b, got also c',
      title: 'A row does not fit the output',
      fix: 'The first row names the columns: pass `columns` with all of them, or leave the keys out of the rows.',
    })
    await expect(write([{ a: 1, b: 2 }], { columns: ['a'] })).rejects.toMatchObject({
      message: 'csv, row 1: expected no keys but the columns a, got also b',
      fix: 'Add the keys to `columns`, or leave them out of the rows.',
    })
  })

  test("toCsv fails at a value that CSV can't hold", async () => {
    const shown =
      'expected text, a number, true or false, a Date, a list of these, or a plain object that JSON can hold, got'
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    await expect(write([{ a: circular }])).rejects.toThrow(`csv, row 1: column "a": ${shown} a Object`)
    const columns = [{ name: 'a', type: { kind: 'json' }, list: false }] as const
    await expect(write([{ a: circular }], { columns })).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    await expect(write([{ a: () => 1 }])).rejects.toThrow(`csv, row 1: column "a": ${shown} a function`)
    await expect(write([{ a: 1 }, { a: new Date(Number.NaN) }])).rejects.toThrow(
      `csv, row 2: column "a": ${shown} an invalid Date`,
    )
    await expect(write([{ a: new Map([[1, 2]]) }])).rejects.toThrow(`csv, row 1: column "a": ${shown} a Map`)
    await expect(write(['a,b'])).rejects.toThrow(
      'csv, row 1: expected an object with a property a column, got text "a,b"',
    )
    await expect(write([['a']])).rejects.toThrow(
      'csv, row 1: expected an object with a property a column, got a list of 1',
    )
  })

  test('toCsv checks values against the types of its columns, if these have types', async () => {
    const columns = [
      { name: 'day', type: { kind: 'date' }, list: false },
      { name: 'margin', type: { kind: 'decimal', precision: 6, scale: 2 }, list: false },
      { name: 'codes', type: { kind: 'integer' }, list: true },
    ] as const
    const day = new Date('2026-01-02T03:04:05Z')
    expect(await write([{ day, margin: '-1.5', codes: ['1', 2n] }], { columns, escapeFormulas: true })).toBe(
      'day,margin,codes\n2026-01-02,-1.50,1|2\n',
    )
    await expect(write([{ margin: 0.1 + 0.2 }], { columns })).rejects.toThrow(
      'csv, row 1: column "margin": expected a value that becomes decimal(6,2) without loss, got number 0.30000000000000004',
    )
    await expect(write([{ day: 1767323045 }], { columns })).rejects.toThrow(
      'column "day": expected a value that becomes date',
    )
    await expect(write([{ codes: 1 }], { columns })).rejects.toThrow(
      'column "codes": expected a value that becomes integer list',
    )
  })

  test('toCsv takes the dialect of a config, and names every mistake in it', async () => {
    const dialect = { delimiter: ';', bom: true, lineBreak: 'crlf', quoteAll: true, escapeFormulas: true } as const
    expect(await write([{ a: '=1', b: null }], dialect)).toBe('\uFEFF"a";"b"\r\n"\'=1";\r\n')
    const mistaken = { delimiter: ';;', quoteAll: 'yes' } as unknown as ToCsvOptions
    expect(() => toCsv(mistaken)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(/delimiter.*\n.*quoteAll/s) }),
    )
    expect(() => toCsv({ columns: ['a', 'a'] })).toThrow('csv: expected columns of different names')
  })

  test('toCsv writes fractions with the decimal separator, and refuses one that is the delimiter', async () => {
    const rows = [{ a: 1.5, b: [0.25, 3], c: '1.5', d: 12n }]
    expect(await write(rows, { delimiter: ';', decimalSeparator: ',' })).toBe('a;b;c;d\n1,5;0,25|3;1.5;12\n')
    expect(await write(rows, { decimalSeparator: ',', quoteAll: true })).toBe(
      '"a","b","c","d"\n"1,5","0,25|3","1.5","12"\n',
    )
    expect(() => toCsv({ decimalSeparator: ',' })).toThrow(
      'toCsv: decimalSeparator: decimalSeparator and delimiter: expected another delimiter, such as ";", or quoteAll: true, got "," for both',
    )
  })

  test('toCsv writes many rows in few pieces', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ index, text: 'x'.repeat(50) }))
    const pieces = await collect<Buffer>(Readable.from(rows), toCsv())
    expect(Buffer.concat(pieces).toString().split('\n').length).toBe(10_002)
    expect(pieces.length).toBeLessThan(20)
  })
})

function write(rows: readonly unknown[], options: ToCsvOptions = {}): Promise<string> {
  return collectText(Readable.from(rows), toCsv(options))
}
