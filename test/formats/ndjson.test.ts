import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, Column, Row } from '../../src/records/flatten/column.ts'
import type { Scalar } from '../../src/types/column-type-definition.ts'
import { createNdjsonEncoder } from '../../src/formats/ndjson.ts'
import { cases } from '../depth.ts'
import { rows as arbitraryRows } from './arbitrary-cells.ts'
import { column, everyColumn } from './every-type.ts'

it('a line of NDJSON parses back to the cells, in the order of the columns', () => {
  fc.assert(
    fc.property(arbitraryRows(everyColumn), (rows) => {
      const lines = encode(everyColumn, rows).split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.map((line) => Object.entries(JSON.parse(line)))).toEqual(rows.map(toExpectedEntries))
    }),
    { numRuns: cases(300) },
  )
})

describe('a cell of NDJSON', () => {
  it.each<[Column['type'], Cell, string]>([
    [{ kind: 'text' }, null, 'null'],
    [{ kind: 'text' }, '', '""'],
    [{ kind: 'text' }, 'a"\n', String.raw`"a\"\n"`],
    [{ kind: 'text' }, '\uD800 😀', String.raw`"\ud800 😀"`],
    [{ kind: 'integer' }, 9223372036854775807n, '9223372036854775807'],
    [{ kind: 'integer' }, -9007199254740991, '-9007199254740991'],
    [{ kind: 'float' }, 1e21, '1e+21'],
    [{ kind: 'boolean' }, true, 'true'],
    [{ kind: 'timestamp' }, 1767323045000, '"2026-01-02T03:04:05Z"'],
    [{ kind: 'date' }, 20455, '"2026-01-02"'],
    [{ kind: 'decimal', precision: 38, scale: 2 }, -(10n ** 37n), `"-1${'0'.repeat(35)}.00"`],
    [{ kind: 'json' }, '{"n":12345678901234567890, "a":[ ]}', '{"n":12345678901234567890, "a":[ ]}'],
    [{ kind: 'json' }, '{\r\n"a": "\\n"\n}', '{ "a": "\\n" }'],
  ])('a cell of NDJSON of %o holding %s is written as %s', (type, cell, text) => {
    expect(encode([column('a', type)], [[cell]])).toBe(`{"a":${text}}\n`)
  })

  it('a cell that has no JSON form ends a run to NDJSON', () => {
    expect(() => encode([column('a', 'float')], [[Infinity]])).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED', message: expect.stringContaining('Infinity') }),
    )
  })
})

it('lists are arrays in NDJSON, with null elements', () => {
  const columns = [column('a', 'integer', true), column('b', 'date', true), column('c', 'json', true)]
  expect(encode(columns, [[[1, null, 2n ** 62n], [], ['{}', null]]])).toBe(
    '{"a":[1,null,4611686018427387904],"b":[],"c":[{},null]}\n',
  )
  expect(encode(columns, [[null, [0], null]])).toBe('{"a":null,"b":["1970-01-01"],"c":null}\n')
})

it('names of columns are escaped in NDJSON', () => {
  expect(encode([column('a"b', 'text')], [['x']])).toBe('{"a\\"b":"x"}\n')
})

it('no rows are no bytes of NDJSON, in a buffer of their own', () => {
  expect(encode(everyColumn, [])).toBe('')
  const bytes = createNdjsonEncoder([column('a', 'text')])([['x']])
  expect(bytes.buffer.byteLength).toBe(bytes.byteLength)
})

function encode(columns: readonly Column[], rows: readonly Row[]): string {
  return Buffer.from(createNdjsonEncoder(columns)(rows)).toString('utf8')
}

function toExpectedEntries(row: Row): [string, unknown][] {
  return everyColumn.map(({ name, type }, index) => {
    const cell = row[index] ?? null
    return [name, Array.isArray(cell) ? cell.map((value) => toExpected(type, value)) : toExpected(type, cell as Scalar)]
  })
}

function toExpected(type: Column['type'], value: Scalar): unknown {
  if (value === null) return null
  switch (type.kind) {
    case 'json':
      return JSON.parse(value as string)
    case 'integer':
      return Number(value)
    case 'float':
      return Object.is(value, -0) ? 0 : value
    case 'timestamp':
      return new Date(Number(value)).toISOString().replace('.000Z', 'Z')
    case 'date':
      return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10)
    case 'decimal':
      return expectedDecimal(String(value), type.scale)
    case 'text':
    case 'boolean':
      return value
  }
}

function expectedDecimal(unscaled: string, scale: number): string {
  const [, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(unscaled) ?? []
  return sign + digits.padStart(scale + 1, '0').replace(new RegExp(`(\\d{${scale}})$`), '.$1')
}
