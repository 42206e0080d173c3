import { formatColumnType, type ColumnType } from '../../records/flatten/column.ts'
import { compileConversion } from '../../records/flatten/convert.ts'
import type { ColumnConfig } from '../../config/pipeline-schema.ts'

type Unit = Exclude<ColumnConfig, string>['unit']

/** True where an amount of this type reads as units of the currency: the config has to say what the delivered number counts. */
export function needsUnit({ kind }: ColumnType): boolean {
  return kind === 'decimal' || kind === 'float'
}

/** True where an amount of this type is still the number that was delivered. */
export function keepsAmount({ kind }: ColumnType): boolean {
  return kind === 'integer' || kind === 'text' || kind === 'json'
}

/** The decimals of the delivered whole number. */
export function unitScaleOf(unit: Unit): number {
  return unit === 'cents' ? 2 : 0
}

/** The problem of a money column without `unit`: both choices, and what each makes of an example. */
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
