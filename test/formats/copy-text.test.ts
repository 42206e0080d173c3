import { describe, expect, test } from 'vitest'
import type { Cell, Column } from '../../src/records/flatten/column.ts'
import type { ColumnType } from '../../src/types/column-types.ts'
import { createCopyTextEncoder } from '../../src/formats/copy-text.ts'

function encode(type: ColumnType, cells: readonly Cell[], list = false): string {
  const columns: Column[] = [
    { name: 'id', type: { kind: 'text' }, list: false },
    { name: 'cell', type, list },
  ]
  const bytes = createCopyTextEncoder(columns, 'products')(cells.map((cell) => ['1', cell]))
  return Buffer.from(bytes).toString()
}

describe('COPY text', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    ['\\N', '\\\\N'],
    ['\\.', '\\\\.'],
    ['a\tb\nc\rd\\e', 'a\\tb\\nc\\rd\\\\e'],
    [`${'long '.repeat(10)}\t`, `${'long '.repeat(10)}\\t`],
    ['naïve 😀', 'naïve 😀'],
    [null, '\\N'],
  ])('COPY text of text %j is %j', (text, written) => {
    expect(encode({ kind: 'text' }, [text])).toBe(`1\t${written}\n`)
  })

  test.each<[ColumnType, Cell, string]>([
    [{ kind: 'integer' }, 9223372036854775807n, '9223372036854775807'],
    [{ kind: 'float' }, -0, '-0'],
    [{ kind: 'float' }, 1e21, '1e+21'],
    [{ kind: 'float' }, Infinity, 'Infinity'],
    [{ kind: 'boolean' }, false, 'false'],
    [{ kind: 'timestamp' }, 1_772_323_200_123, '2026-03-01T00:00:00.123Z'],
    [{ kind: 'date' }, 0, '1970-01-01'],
    [{ kind: 'decimal', precision: 12, scale: 2 }, -5, '-0.05'],
    [{ kind: 'json' }, '{"a":"\\n"}', '{"a":"\\\\n"}'],
  ])('COPY text of %o %o is %j', (type, cell, written) => {
    expect(encode(type, [cell])).toBe(`1\t${written}\n`)
  })

  test.each<[ColumnType, Cell, string]>([
    [{ kind: 'text' }, [], '{}'],
    [{ kind: 'text' }, ['', null, 'NULL', 'a,b'], '{"",NULL,"NULL","a,b"}'],
    [{ kind: 'text' }, ['"\\\t'], '{"\\\\"\\\\\\\\\\t"}'],
    [{ kind: 'integer' }, [1, null, 2n], '{1,NULL,2}'],
    [{ kind: 'timestamp' }, [0], '{1970-01-01T00:00:00Z}'],
    [{ kind: 'text' }, null, '\\N'],
  ])('COPY text of a list of %o %o is %j', (type, cell, written) => {
    expect(encode(type, [cell], true)).toBe(`1\t${written}\n`)
  })

  test.each([
    ['a\0b', false],
    [['x', '\0'], true],
  ] as const)('COPY text refuses text with NUL by table, column and row: %j', (cell, list) => {
    expect(() => encode({ kind: 'text' }, ['fine'], false)).not.toThrow()
    expect(() => encode({ kind: 'text' }, [cell], list)).toThrow(
      'table "products", column "cell", row of "1": expected text that a database can store, got one with the character NUL (U+0000)',
    )
  })
})
