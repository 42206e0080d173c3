import type { ColumnType } from '../../records/flatten/column.ts'
import { parseIsoDate } from '../../records/flatten/convert.ts'

/** A value of the config as the cells of a column hold it, as text; null where it is none. */
export function toRuleValue(value: string | number | boolean, type: ColumnType): string | null {
  switch (type.kind) {
    case 'text':
    case 'json':
      return typeof value === 'string' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : null
    case 'integer':
      return /^-?\d+$/.test(String(value)) ? String(BigInt(String(value))) : null
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
    case 'decimal':
      return toUnscaled(String(value), type.scale)
    case 'timestamp':
      return toTime(value, 1)
    case 'date':
      return toTime(value, msOfDay)
  }
}

const msOfDay = 86_400_000

function toTime(value: string | number | boolean, unit: number): string | null {
  const milliseconds = typeof value === 'string' ? parseIsoDate(value) : Number.NaN
  return Number.isNaN(milliseconds) ? null : String(Math.floor(milliseconds / unit))
}

/** `1.5` with two decimals is 150; null for more decimals than there are. */
function toUnscaled(text: string, scale: number): string | null {
  const {
    sign = '',
    whole = '',
    decimals = '',
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<decimals>\d+))?$/.exec(text)?.groups ?? {}
  if (whole === '' || decimals.length > scale) return null
  return String(BigInt(`${sign}${whole}${decimals.padEnd(scale, '0')}`))
}

/** The form of the values of a column, for messages. */
export function expectedOf(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
    case 'json':
      return 'text in quotes'
    case 'boolean':
      return 'true or false'
    case 'integer':
      return 'a whole number'
    case 'float':
      return 'a number'
    case 'decimal':
      return `a number with at most ${type.scale} decimals`
    case 'timestamp':
    case 'date':
      return 'a date such as 2026-01-01 or a date and time such as 2026-01-01T08:00:00Z'
  }
}
