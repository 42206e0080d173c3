import type { FieldIds } from '../../formats/parquet/parquet-type.ts'
import type { Column } from '../../records/flatten/column.ts'
import { isUtf8 } from 'node:buffer'
import type { Bound, FileStatistics } from '../file-statistics.ts'
import type { ManifestDataFile } from './manifests.ts'

type Metrics = Pick<ManifestDataFile, 'value_counts' | 'null_value_counts' | 'lower_bounds' | 'upper_bounds'>

/** The counts and bounds of a data file, by the ids of columns; lists have none. */
export function toMetrics({ columns, bounds, rows }: FileStatistics, ids: readonly FieldIds[]): Metrics {
  const measured = columns.flatMap((column, at) => {
    const of = bounds[at] ?? null
    return of === null ? [] : [{ ...of, column, key: (ids[at] as FieldIds).column }]
  })
  const toBounds = (end: 'min' | 'max') =>
    measured.flatMap(({ key, column, isKnown, [end]: bound }) => {
      const value = bound === null || !isKnown ? null : formatBound(column, bound)
      return value === null ? [] : [{ key, value }]
    })
  return {
    value_counts: measured.map(({ key }) => ({ key, value: BigInt(rows) })),
    null_value_counts: measured.map(({ key, nulls }) => ({ key, value: BigInt(nulls) })),
    lower_bounds: toBounds('min'),
    upper_bounds: toBounds('max'),
  }
}

/** A value alone, as appendix D of the specification writes it; null for a bound that is cut within a character. */
function formatBound({ type }: Column, bound: Bound): Buffer | null {
  if (Buffer.isBuffer(bound)) return isUtf8(bound) ? bound : null
  switch (type.kind) {
    case 'boolean':
      return Buffer.of(Number(bound))
    case 'date': {
      const bytes = Buffer.alloc(4)
      bytes.writeInt32LE(Number(bound))
      return bytes
    }
    case 'float': {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(Number(bound))
      return bytes
    }
    case 'decimal':
      return formatSmallest(BigInt(bound))
    default: {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(bound))
      return bytes
    }
  }
}

/** As few bytes of two's complement as hold a number, the highest first. */
function formatSmallest(value: bigint): Buffer {
  let length = 1
  while (BigInt.asIntN(length * 8, value) !== value) length++
  const hex = BigInt.asUintN(length * 8, value).toString(16)
  return Buffer.from(hex.padStart(length * 2, '0'), 'hex')
}
