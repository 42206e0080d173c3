import * as fc from 'fast-check'
import type { Cell, Column, Row } from '../../src/records/flatten/column.ts'
import type { ColumnType } from '../../src/types/column-types.ts'
import type { Scalar } from '../../src/types/column-type-definition.ts'

const hostile = [
  '"',
  "'",
  ',',
  ';',
  '\t',
  '|',
  '\\',
  '\r',
  '\n',
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  '$&',
  '$$',
]
const harmless = [' ', 'a', '0', 'é', '€', '漢', '😀', '\u2028', '<b>', 'x'.repeat(40)]

/** Text of pieces that break encoders; `more` adds what some reader of the result can't hold. */
export function hostileText(
  more: readonly string[] = ['\0', '\u0001', '\uFEFF', '\uD800', '\uDC00'],
): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...hostile, ...harmless, ...more), { maxLength: 6 }).map((pieces) => pieces.join(''))
}

export function scalar(type: ColumnType, text = hostileText()): fc.Arbitrary<Scalar> {
  switch (type.kind) {
    case 'text':
      return text
    case 'json':
      return fc.jsonValue().map((value) => JSON.stringify(value))
    case 'integer':
      return fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(toSmallest))
    case 'float':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'timestamp':
      return fc.oneof(
        fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
        fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }).map((seconds) => seconds * 1000),
      )
    case 'date':
      return fc.integer({ min: -719_162, max: 2_932_896 })
    case 'decimal': {
      const max = 10n ** BigInt(type.precision) - 1n
      return fc.oneof(fc.integer({ min: -999, max: 999 }), fc.bigInt({ min: -max, max }).map(toSmallest))
    }
  }
}

/** Nulls, lists of any length, and null elements included. */
export function cell({ type, list }: Column, text?: fc.Arbitrary<string>): fc.Arbitrary<Cell> {
  const value = fc.option(scalar(type, text), { freq: 4 })
  return list ? fc.option(fc.array(value, { maxLength: 3 }), { freq: 4 }) : value
}

export function rows(columns: readonly Column[], text?: fc.Arbitrary<string>): fc.Arbitrary<Row[]> {
  return fc.array(fc.tuple(...columns.map((column) => cell(column, text))), { maxLength: 12 })
}

/** Cells hold a bigint only beyond the safe integers. */
function toSmallest(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
