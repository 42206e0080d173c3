import { compileLocalDay } from '../../types/time-zone.ts'
import type { ValueType } from '../../types/column-type-definition.ts'
import { readTime, type TimeSpan } from './time-span.ts'

/** A value as a record or a cell holds it; of a day among times, its first and its last moment. */
export type ConfigValue = string | number | bigint | boolean | TimeSpan

/** The value that a config writes, in the form of the type; undefined if it is not of the type. */
export function readConfigValue(written: string | number | boolean, type: ValueType): ConfigValue | undefined {
  switch (type.kind) {
    case 'text':
      return typeof written === 'boolean' ? undefined : String(written)
    case 'boolean':
      return typeof written === 'boolean' ? written : undefined
    case 'integer':
      return toSmallest(/^-?\d+$/.exec(String(written))?.[0])
    case 'float':
      return typeof written === 'number' && Number.isFinite(written) ? written : undefined
    case 'decimal':
      return toSmallest(toUnscaled(String(written), type.scale))
    case 'time':
      return toTime(written, type)
  }
}

/** The form of values of the type, for messages. */
export function expectedOf(type: ValueType): string {
  switch (type.kind) {
    case 'text':
      return 'text in quotes'
    case 'boolean':
      return 'true or false'
    case 'integer':
      return 'a whole number'
    case 'float':
      return 'a number'
    case 'decimal':
      return `a number with at most ${type.scale} decimals`
    case 'time':
      return 'unix seconds, a date such as 2026-01-01 or a date and time such as 2026-01-01T08:00:00Z'
  }
}

function toSmallest(digits: string | undefined): number | bigint | undefined {
  if (digits === undefined) return undefined
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number + 0 : BigInt(digits)
}

/** `1.5` with two decimals is 150; undefined for more decimals than there are. */
function toUnscaled(text: string, scale: number): string | undefined {
  const [, whole = '', decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? []
  return whole === '' || decimals.length > scale ? undefined : `${whole}${decimals.padEnd(scale, '0')}`
}

type TimeType = Extract<ValueType, { kind: 'time' }>

function toTime(written: string | number | boolean, type: TimeType): ConfigValue | undefined {
  const { unit, timezone } = type
  if (typeof written !== 'string') return Number.isSafeInteger(written) ? toMoment(Number(written), type) : undefined
  const time = readTime(written, timezone)
  if (time === undefined) return undefined
  const { from, until } = time
  if (unit === 'days') return time.day
  const unitMs = unit === 'seconds' ? 1000 : 1
  return from === until ? from / unitMs : { from: from / unitMs, until: Math.floor(until / unitMs) }
}

/** Of unix seconds. */
function toMoment(seconds: number, { unit, timezone }: TimeType): number | undefined {
  if (unit === 'seconds') return seconds
  if (Number.isNaN(new Date(seconds * 1000).getTime())) return undefined
  return unit === 'days' ? compileLocalDay(timezone)(seconds * 1000) : seconds * 1000
}
