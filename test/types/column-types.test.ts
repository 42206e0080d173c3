import { expect, test } from 'vitest'
import { type ColumnType, formatColumnType, parseColumnType, plainKinds, typeOf } from '../../src/types/column-types.ts'

const everyType: readonly ColumnType[] = [
  ...plainKinds.map((kind) => ({ kind })),
  { kind: 'decimal', precision: 12, scale: 2 },
  { kind: 'decimal', precision: 12, scale: 3 },
]

test('the name of a column type is read back as the type, of values and of lists', () => {
  for (const list of [false, true]) {
    const columns = everyType.map((type) => ({ type, list }))
    expect(columns.map((column) => parseColumnType(formatColumnType(column)))).toEqual(columns)
  }
})

test('column types that the fast path knows have different numbers in it', () => {
  const numbers = [...plainKinds.map((kind) => typeOf({ kind })), typeOf({ kind: 'decimal', precision: 1, scale: 0 })]
    .map(({ cellKind }) => cellKind)
    .filter((number) => number !== null)
  expect(new Set(numbers).size).toBe(numbers.length)
  // Timestamps as delivered, in seconds, have this one.
  expect(numbers).not.toContain(5)
})

test('a value survives being written as its canonical text and read again', () => {
  const values = {
    text: 'a|é',
    integer: 2n ** 60n,
    float: -0,
    boolean: true,
    timestamp: -1,
    date: -719_162,
    json: '[1]',
  }
  for (const kind of plainKinds) {
    const { formatCanonical = String, parseCanonical } = typeOf({ kind })
    expect(parseCanonical(formatCanonical(values[kind]))).toBe(values[kind])
  }
})
