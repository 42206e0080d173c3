import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { ColumnType } from '../../records/flatten/column.ts'
import { closest } from '../../messages/choices.ts'

const simpleTypes = ['text', 'integer', 'float', 'boolean', 'timestamp', 'date', 'json'] as const

/** The column types that a field of each type can become. */
const conversions: Readonly<Record<ScalarType | 'json', readonly ColumnType['kind'][]>> = {
  text: ['text', 'integer', 'float', 'decimal', 'boolean', 'timestamp', 'date', 'json'],
  integer: ['text', 'integer', 'float', 'decimal', 'boolean', 'timestamp', 'date', 'json'],
  float: ['text', 'integer', 'float', 'decimal', 'json'],
  boolean: ['text', 'integer', 'boolean', 'json'],
  timestamp: ['text', 'integer', 'timestamp', 'date', 'json'],
  json: ['json'],
}

/** The type that `as:` names, or what is wrong with it. */
export function parseColumnType(text: string): ColumnType | { readonly message: string; readonly suggestion?: string } {
  const simple = simpleTypes.find((kind) => kind === text)
  if (simple !== undefined) return { kind: simple }
  const [, precision, scale] = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(text)?.map(Number) ?? []
  if (precision === undefined || scale === undefined) {
    const message = `expected ${simpleTypes.join(', ')} or decimal(precision,scale), got "${text}"`
    const suggestion = text === 'decimal' ? 'decimal(12,2)' : closest(text, simpleTypes)
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
