import { parseDecimal } from '../../types/decimal.ts'
import { typeOf, type ColumnType, formatColumnType, plainKinds, compileConversion } from '../../types/column-types.ts'
import type { ColumnConfig } from '../../config/schemas/pipeline-schema.ts'
import type { ScalarType } from '../../contracts/field-kinds.ts'
import { closest } from '../../text/choices.ts'

/** Parses `as:`. */
export function parseColumnType(text: string): ColumnType | { readonly message: string; readonly suggestion?: string } {
  const simple = plainKinds.find((kind) => kind === text)
  if (simple !== undefined) return { kind: simple }
  const decimal = parseDecimal(text)
  if (decimal === null) {
    const message = `expected ${plainKinds.join(', ')} or decimal(precision,scale), got "${text}"`
    const suggestion = text === 'decimal' ? 'decimal(12,2)' : closest(text, plainKinds)
    return suggestion === undefined ? { message } : { message, suggestion }
  }
  const { precision, scale } = decimal
  if (precision < 1 || precision > 38 || scale > precision) {
    return { message: `expected a decimal of 1 to 38 digits with no more of them behind the point, got "${text}"` }
  }
  return decimal
}

export function canBecome(delivered: ScalarType, type: ColumnType): boolean {
  return typeOf(type).from[delivered] !== undefined
}

type Unit = Exclude<ColumnConfig, string>['unit']

/**
 * Whether amounts of this type are in units of the currency, so that the config has to say what the delivered number
 * counts.
 */
export function needsUnit(type: ColumnType): boolean {
  return typeOf(type).money === 'units'
}

/** Whether amounts of this type are the delivered number unchanged. */
export function keepsAmount(type: ColumnType): boolean {
  return typeOf(type).money === 'delivered'
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
  return `becomes ${value === null ? 'nothing' : typeOf(type).format(value)}`
}
