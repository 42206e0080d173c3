import * as fc from 'fast-check'
import type { Cell, Column, Row } from '../../../src/records/flatten/column.ts'
import type { ColumnType } from '../../../src/types/column-types.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'
import { hostileText, scalar } from '../arbitrary-cells.ts'

/** Columns of every type, and decimals of every class of precision. */
export function anyColumns(most = 4): fc.Arbitrary<Column[]> {
  const column = fc.record({ type: anyType(), list: fc.boolean() })
  return fc
    .array(column, { minLength: 1, maxLength: most })
    .map((columns) => columns.map((each, index) => ({ ...each, name: `c${index}` })))
}

export function anyType(): fc.Arbitrary<ColumnType> {
  const kinds = ['text', 'integer', 'float', 'boolean', 'timestamp', 'date', 'json'] as const
  const decimals = fc
    .oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 18 }), fc.integer({ min: 19, max: 38 }))
    .chain((precision) => fc.record({ precision: fc.constant(precision), scale: fc.nat(precision) }))
    .map((digits): ColumnType => ({ kind: 'decimal', ...digits }))
  return fc.oneof(
    { weight: 7, arbitrary: fc.constantFrom(...kinds).map((kind) => ({ kind })) },
    { weight: 4, arbitrary: decimals },
  )
}

/** At least one row. Values come alone, in runs and in turns, so that each of the encodings is used. */
export function rowsOf(columns: readonly Column[], most: number): fc.Arbitrary<Row[]> {
  const cells = columns.map(({ type, list }) => (list ? listsOf(type) : streamOf(nullable(valueOf(type)))))
  return fc
    .tuple(fc.integer({ min: 1, max: most }), fc.tuple<Cell[][]>(...cells))
    .map(([rows, streams]) =>
      Array.from({ length: rows }, (_, row) => streams.map((stream) => stream[row % stream.length] as Cell)),
    )
}

/** Every value that a column of the type may hold, with a weight on those at its ends. Text is well-formed. */
export function valueOf(type: ColumnType): fc.Arbitrary<Scalar> {
  switch (type.kind) {
    case 'text':
      return fc.oneof(hostileText(['\0', '\u0001', '\uFEFF', '\u{10FFFF}', '\uD7FF', '\uFFFF']), longText())
    case 'integer':
      return fc.oneof(scalar(type), fc.constantFrom(0, -1, 2n ** 63n - 1n, -(2n ** 63n)))
    case 'float':
      return fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, -0, 1, -1, 5e-324))
    case 'decimal': {
      const most = 10n ** BigInt(type.precision) - 1n
      const any = fc.bigInt({ min: -most, max: most })
      return fc.oneof(any, fc.constantFrom(0n, -1n, 1n, most, -most, 255n % most, -256n % most)).map(toSmallest)
    }
    default:
      return scalar(type)
  }
}

/** Texts of about 64 bytes, the length at which bounds are cut, with a long common prefix. */
function longText(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom('a', 'é', '\u{10FFFF}', '\uD7FF', '\uFEFF'),
      fc.integer({ min: 10, max: 90 }),
      fc.constantFrom('', 'b', '\0', '😀', '\u{10FFFF}', '\uD7FF'),
    )
    .map(([first, length, last]) => first.repeat(length) + last)
}

function listsOf(type: ColumnType): fc.Arbitrary<Cell[]> {
  const lengths = streamOf(fc.oneof(fc.constantFrom(null, 0), fc.nat(12)))
  return fc.tuple(lengths, streamOf(nullable(valueOf(type)))).map(([counts, elements]) => {
    let taken = 0
    return counts.map((count) =>
      count === null ? null : Array.from({ length: count }, () => elements[taken++ % elements.length] as Scalar),
    )
  })
}

function streamOf<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> {
  const several = fc.array(value, { minLength: 1, maxLength: 5 })
  const times = fc.oneof(fc.constantFrom(1, 7, 8, 9, 16, 65), fc.integer({ min: 1, max: 40 }))
  const repeated = fc.tuple(several, times).map(([values, count]) => Array.from({ length: count }, () => values).flat())
  return fc.array(repeated, { minLength: 1, maxLength: 6 }).map((parts) => parts.flat())
}

function nullable<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
}

/** Cells hold a bigint only beyond the safe integers. */
function toSmallest(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
