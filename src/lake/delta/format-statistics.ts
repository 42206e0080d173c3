import type { Column } from '../../records/flatten/column.ts'
import { typeOf } from '../../types/column-types.ts'
import type { ColumnBounds, FileStatistics } from '../file-statistics.ts'

/** The statistics of a data file as `add` has them: JSON with exact numbers. */
export function formatStatistics({ columns, bounds: all, rows }: FileStatistics): string {
  const counted = columns.flatMap((column, at) => {
    const bounds = all[at] ?? null
    return bounds === null || !isIndexed(at, columns.length) ? [] : [{ column, bounds }]
  })
  const list = (toText: (column: Column, bounds: ColumnBounds) => string | null) => {
    const members = counted.flatMap(({ column, bounds }) => {
      const text = toText(column, bounds)
      return text === null ? [] : [`${JSON.stringify(column.name)}:${text}`]
    })
    return `{${members.join(',')}}`
  }
  const mins = list((column, bounds) => formatBound(column, bounds, 'min'))
  const maxs = list((column, bounds) => formatBound(column, bounds, 'max'))
  const nulls = list((_, bounds) => String(bounds.nulls))
  return `{"numRecords":${rows},"minValues":${mins},"maxValues":${maxs},"nullCount":${nulls}}`
}

/** As many columns as Delta's own writers count by default, and those that a mode adds at the end. */
function isIndexed(at: number, columns: number): boolean {
  return at < mostIndexed || at >= columns - mostModeColumns
}

const mostIndexed = 32
const mostModeColumns = 3

/** Null for a bound that readers might take for another one. */
function formatBound({ type }: Column, bounds: ColumnBounds, end: 'min' | 'max'): string | null {
  const bound = bounds[end]
  if (bound === null || !bounds.isKnown) return null
  switch (type.kind) {
    case 'boolean':
    case 'json':
      return null
    case 'text':
      return formatText(bound as Buffer)
    case 'integer':
      return String(bound)
    case 'float':
      return Number.isFinite(bound) ? JSON.stringify(bound) : null
    case 'date':
      return JSON.stringify(typeOf(type).format(Number(bound)))
    case 'timestamp':
      return JSON.stringify(new Date(toMilliseconds(bound as bigint, end)).toISOString())
    case 'decimal':
      // Readers take it for a float.
      return Number.isSafeInteger(Number(bound)) ? typeOf(type).format(bound as bigint) : null
  }
}

/** Rounds away from the values, as bounds have milliseconds. */
function toMilliseconds(micros: bigint, end: 'min' | 'max'): number {
  const whole = micros / 1000n
  const rest = micros % 1000n
  if (rest === 0n || (end === 'min' && rest > 0n) || (end === 'max' && rest < 0n)) return Number(whole)
  return Number(end === 'min' ? whole - 1n : whole + 1n)
}

/** Long text is cut in the bounds, maybe within a character. */
function formatText(bytes: Buffer): string | null {
  try {
    return JSON.stringify(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return null
  }
}
