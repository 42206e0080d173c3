import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { JsonCell, toNdjson, type ToNdjsonOptions } from '../../src/streams.ts'
import { collectText } from './collect.ts'

describe('toNdjson', () => {
  test('toNdjson writes every column of every row, for all kinds of values', async () => {
    const rows = [
      {
        id: 'a"b',
        n: 12345678901234567890n,
        at: new Date(0),
        list: ['x', null],
        any: { a: [1] },
        cell: new JsonCell('[ ]'),
      },
      { id: 'c', cell: JsonCell.of('text') },
    ]
    expect(await write(rows)).toBe(
      [
        '{"id":"a\\"b","n":12345678901234567890,"at":"1970-01-01T00:00:00Z","list":["x",null],"any":{"a":[1]},"cell":[ ]}\n',
        '{"id":"c","n":null,"at":null,"list":null,"any":null,"cell":"text"}\n',
      ].join(''),
    )
  })

  test('toNdjson writes the columns of its option, in that order, and no others', async () => {
    const row = { b: 1, a: 2 }
    expect(await write([row], { columns: ['a', 'b'] })).toBe('{"a":2,"b":1}\n')
    await expect(write([row], { columns: ['a'] })).rejects.toThrow(
      'ndjson, row 1: expected no keys but the columns a, got also b',
    )
  })

  test('toNdjson fails at numbers that JSON does not have', async () => {
    await expect(write([{ a: Number.NaN }])).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
  })
})

function write(rows: readonly unknown[], options: ToNdjsonOptions = {}): Promise<string> {
  return collectText(Readable.from(rows), toNdjson(options))
}
