import type { Column, Row } from '../../src/records/flatten/column.ts'
import type { ColumnType } from '../../src/types/column-types.ts'
import type { Scalar } from '../../src/types/column-type-definition.ts'

export function column(name: string, type: ColumnType | Exclude<ColumnType['kind'], 'decimal'>, list = false): Column {
  return { name, type: typeof type === 'string' ? { kind: type } : type, list }
}

interface Example {
  readonly name: string
  readonly type: ColumnType
  readonly values: readonly Scalar[]
}

/** Years 1 and 9999, 64 bits, 38 digits: three values of every type, at the ends of what it holds. */
const examples: readonly Example[] = [
  { name: 'text', type: { kind: 'text' }, values: ['', 'crème "brûlée", 50 ml\r\n', 'x'.repeat(30) + '😀'] },
  { name: 'integer', type: { kind: 'integer' }, values: [-(2n ** 63n), 2n ** 63n - 1n, -9007199254740991] },
  { name: 'float', type: { kind: 'float' }, values: [0.1, -1.7976931348623157e308, 5e-324] },
  { name: 'boolean', type: { kind: 'boolean' }, values: [true, false, true] },
  { name: 'timestamp', type: { kind: 'timestamp' }, values: [-62135596800000, 253402300799999, 1767323045006] },
  { name: 'date', type: { kind: 'date' }, values: [-719162, 2932896, 20455] },
  { name: 'money', type: { kind: 'decimal', precision: 9, scale: 2 }, values: [820, -5, -999999999] },
  { name: 'price', type: { kind: 'decimal', precision: 18, scale: 4 }, values: [1, -(10n ** 18n - 1n), 7_000_000_000] },
  {
    name: 'exact',
    type: { kind: 'decimal', precision: 38, scale: 10 },
    values: [10n ** 38n - 1n, -(10n ** 38n - 1n), -1],
  },
  { name: 'json', type: { kind: 'json' }, values: ['{"a":[1,null]}', '"=1"', '[]'] },
]

/** Every type as a scalar and as a list. */
export const everyColumn: readonly Column[] = examples.flatMap(({ name, type }) => [
  column(name, type),
  column(`${name}_list`, type, true),
])

/** Three rows of values, one of nulls and of lists with a null element, one of nulls and empty lists. */
export const everyRow: readonly Row[] = [
  ...[0, 1, 2].map((index) => examples.flatMap(({ values }) => [values[index] ?? null, values.slice(0, index + 1)])),
  examples.flatMap(({ values }) => [null, [null, values[0] ?? null]]),
  examples.flatMap(() => [null, []]),
  examples.flatMap(() => [null, null]),
]
