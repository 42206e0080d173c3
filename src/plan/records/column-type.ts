import type { ColumnConfig } from '../../config/pipeline-schema.ts'
import type { ScalarType } from '../../contracts/field-kinds.ts'
import { closest } from '../../text/choices.ts'
import { type ColumnType, formatColumnType, plainKinds } from '../../records/flatten/column.ts'
import { compileConversion } from '../../records/flatten/convert.ts'

/** The column types to which each field type can be converted. */
const conversions: Readonly<Record<ScalarType | 'json', readonly ColumnType['kind'][]>> = {
  text: ['text', 'integer', 'float', 'decimal', 'boolean', 'timestamp', 'date', 'json'],
  integer: ['text', 'integer', 'float', 'decimal', 'boolean', 'timestamp', 'date', 'json'],
  float: ['text', 'integer', 'float', 'decimal', 'json'],
  boolean: ['text', 'integer', 'boolean', 'json'],
  timestamp: ['text', 'integer', 'timestamp', 'date', 'json'],
  json: ['json'],
}

/** Parses `as:`. */
export function parseColumnType(text: string): ColumnType | { readonly message: string; readonly suggestion?: string } {
  const simple = plainKinds.find((kind) => kind === text)
  if (simple !== undefined) return { kind: simple }
  const [, precision, scale] = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(text)?.map(Number) ?? []
  if (precision === undefined || scale === undefined) {
    const message = `expected ${plainKinds.join(', ')} or decimal(precision,scale), got "${text}"`
    const suggestion = text === 'decimal' ? 'decimal(12,2)' : closest(text, plainKinds)
    return suggestion === undefined ? { message } : { message, suggestion }
  }
  if (precision < 1 || precision > 38 || scale > precision) {
    return { message: `expected a decimal of 1 to 38 digits with no more of them behind the point, got "${text}"` }
  }
  return { kind: 'decimal', precision, scale }
}

export function canBecome(delivered: ScalarType | 'json', type: ColumnType): boolean {
  return conversions[delivered].includes(type.kind)
}

type Unit = Exclude<ColumnConfig, string>['unit']

/**
 * Whether amounts of this type are in units of the currency, so that the config has to say what the delivered number
 * counts.
 */
export function needsUnit({ kind }: ColumnType): boolean {
  return kind === 'decimal' || kind === 'float'
}

/** Whether amounts of this type are the delivered number unchanged. */
export function keepsAmount({ kind }: ColumnType): boolean {
  return kind === 'integer' || kind === 'text' || kind === 'json'
}

/** Number of decimals in a delivered whole number. */
export function unitScaleOf(unit: Unit): number {
  return unit === 'cents' ? 2 : 0
}

/** The problem of a money column without `unit`: both choices, with an example each. */
export function missingUnit(from: string, type: ColumnType): string {
  const choices = [
    `unit: cents (${example} ${showExample(type, 'cents')})`,
    `unit: units (${example} ${showExample(type, 'units')})`,
  ]
  return `"${from}" is money, and nothing says what the delivered number counts: expected ${choices.join(' or ')}, got no unit`
}

const example = 2536

function showExample(type: ColumnType, unit: Unit): string {
  const value = compileConversion('integer', type, unitScaleOf(unit))(example)
  if (value === undefined) return `is rejected, as ${formatColumnType({ type, list: false })} has no room for it`
  const [whole = '', fraction = ''] = String(example / 10 ** unitScaleOf(unit)).split('.')
  const digits = type.kind === 'decimal' ? fraction.padEnd(type.scale, '0') : fraction
  return `becomes ${digits === '' ? whole : `${whole}.${digits}`}`
}
