import { survivesAsFloat } from '../contracts/exact-number.ts'
import { CatalogueError } from '../errors.ts'
import type { ColumnTypeDefinition } from './column-type-definition.ts'
import { decimalNumber, wholeNumber } from './exact-number-text.ts'

const mostMillionths = 1e19

export const float: ColumnTypeDefinition<number> = {
  name: 'float',
  form: 'number',
  // Whole numbers that the fast path accepts have at most 15 digits.
  from: { text: 'converted', integer: 'same', float: 'same' },
  money: 'units',
  isOpaque: false,
  namesFolders: false,
  compared: () => ({ kind: 'float' }),

  compileConversion: (_, { unitScale }) => (unitScale === 0 ? toFloat : (value) => toScaledFloat(value, unitScale)),
  format: String,
  formatJson,
  formatCopy: formatSigned,
  formatCanonical: formatSigned,
  parseCanonical: Number,
  compare: (one, other) => Number(one) - Number(other),
  showCanonical: Number,

  measure: {
    of: 'numbers',
    decimals: 6,
    most: BigInt(mostMillionths),
    toMeasured: toMillionths,
    toCanonical: (millionths) => String(Number(millionths) / 1e6),
  },
  storage: { kind: 'float64' },
  parquet: { physical: 'double' },
  arrow: { id: 3, fields: [{ kind: 'short', value: 2 }] },
  sheet: { style: 0, toNumber: (value) => (isKnownToSheets(value) ? String(value) : null) },
  sql: {
    postgres: 'double precision',
    duckdb: 'DOUBLE',
    duckdbOthers: ['FLOAT'],
    spark: 'DOUBLE',
    snowflake: 'DOUBLE',
    bigquery: 'FLOAT64',
    redshift: 'DOUBLE PRECISION',
    clickhouse: 'Nullable(Float64)',
    mariadb: 'double',
  },
  jsonSchema: { type: 'number' },
  tableSchema: 'number',
  cellKind: 2,
}

/** The float of a number that it preserves. Whole numbers must be exact. */
function toFloat(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : undefined
  if (typeof value !== 'string' || !decimalNumber.test(value)) return undefined
  if (wholeNumber.test(value)) return toFloat(BigInt(value))
  return survivesAsFloat(value.replace(/^\+/, '')) ? Number(value) : undefined
}

/** The float nearest to the value with its point moved to the left. Rounds once, as the digits are never divided. */
function toScaledFloat(value: unknown, unitScale: number): number | undefined {
  const whole = toFloat(value)
  if (whole === undefined) return undefined
  const [, digits = '', exponent = '0'] = /^([^eE]+)(?:[eE](.+))?$/.exec(String(value)) ?? []
  return Number(`${digits}e${Number(exponent) - unitScale}`)
}

/** Rounds halves away from zero, as the fast path does. Numbers that nobody measures become the same one. */
function toMillionths(canonical: string): bigint {
  const millionths = Number(canonical) * 1e6
  const measured = Math.trunc(millionths + (millionths < 0 ? -0.5 : 0.5))
  return BigInt(Math.max(-mostMillionths, Math.min(measured, mostMillionths)))
}

/** `String` drops the sign of a zero. */
function formatSigned(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function formatJson(value: number): string {
  if (Number.isFinite(value)) return String(value)
  throw new CatalogueError('OUTPUT_FAILED', `ndjson: a float has no JSON form, expected a finite number, got ${value}`)
}

function isKnownToSheets(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size >= 2.2251e-308 && size <= 9.9999e307)
}
