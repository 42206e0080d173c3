import type { ScalarType } from '../contracts/field-kinds.ts'
import { boolean } from './boolean.ts'
import type { ColumnTypeDefinition, Convert } from './column-type-definition.ts'
import { date } from './date.ts'
import { type DecimalType, defineDecimal, parseDecimal } from './decimal.ts'
import { float } from './float.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { text } from './text.ts'
import { microTimestamp, timestamp } from './timestamp.ts'

const plainTypes = { text, integer, float, boolean, timestamp, date, json } as const satisfies Readonly<
  Record<string, ColumnTypeDefinition>
>

export type PlainKind = keyof typeof plainTypes

export const plainKinds = Object.keys(plainTypes) as PlainKind[]

export type ColumnType = { readonly kind: PlainKind } | DecimalType | MicroTimestampType

/** The type of a time in the files of a lake. No config can ask for it. */
interface MicroTimestampType {
  readonly kind: 'timestamp'
  readonly isMicro: true
}

export function typeOf(type: ColumnType): ColumnTypeDefinition {
  if (type.kind === 'decimal') return decimalOf(type)
  return 'isMicro' in type ? microTimestamp : plainTypes[type.kind]
}

/** Cached, as some definitions are requested for each cell. */
const decimals = new WeakMap<DecimalType, ColumnTypeDefinition>()

function decimalOf(type: DecimalType): ColumnTypeDefinition {
  const definition = decimals.get(type) ?? defineDecimal(type)
  decimals.set(type, definition)
  return definition
}

/**
 * Compiles the conversion from a field's type to a column's. Empty text becomes null in every column but text and json.
 * `unitScale` is the number of decimals in the delivered whole number: 2 for cents. `timezone` is for dates.
 */
export function compileConversion(from: ScalarType, to: ColumnType, unitScale = 0, timezone = 'UTC'): Convert {
  const definition = typeOf(to)
  const convert = definition.compileConversion(from, { unitScale, timezone })
  const emptyIsNull = definition.form !== 'text'
  return (value) => {
    if (value === null || value === undefined || (emptyIsNull && value === '')) return null
    return convert(value)
  }
}

/** Formats a column type as plans and manifests print it: `text`, `integer list`, `decimal(12,2)`. */
export function formatColumnType({ type, list }: { readonly type: ColumnType; readonly list: boolean }): string {
  const { name } = typeOf(type)
  return list ? `${name} list` : name
}

/** The inverse of `formatColumnType`; null for any other text. */
export function parseColumnType(written: string): { readonly type: ColumnType; readonly list: boolean } | null {
  const { scalar = '', list } = /^(?<scalar>[^ ]+)(?<list> list)?$/.exec(written)?.groups ?? {}
  const type = parseScalarType(scalar)
  return type && { type, list: list !== undefined }
}

function parseScalarType(written: string): ColumnType | null {
  const kind = plainKinds.find((each) => each === written)
  return kind === undefined ? parseDecimal(written) : { kind }
}
