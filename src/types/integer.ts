import type { ColumnTypeDefinition } from './column-type-definition.ts'
import { toSmallest, wholeNumber } from './exact-number-text.ts'
import { compareDigits } from './canonical-text.ts'

export const integer: ColumnTypeDefinition<number | bigint> = {
  name: 'integer',
  form: 'number',
  from: { text: 'converted', integer: 'same', float: 'converted', boolean: 'converted', timestamp: 'same' },
  money: 'delivered',
  isOpaque: false,
  namesFolders: true,
  compared: () => ({ kind: 'integer' }),

  compileConversion: () => toInteger,
  format: String,
  formatJson: String,
  parseCanonical: toSmallest,
  compare: compareDigits,
  showCanonical: (canonical) => (Number.isSafeInteger(Number(canonical)) ? Number(canonical) : canonical),

  measure: { of: 'numbers', decimals: 0, toMeasured: BigInt, toCanonical: String },
  storage: { kind: 'int64' },
  parquet: { physical: 'int64' },
  arrow: {
    id: 2,
    fields: [
      { kind: 'int', value: 64 },
      { kind: 'byte', value: 1 },
    ],
  },
  sheet: { style: 1, toNumber: (value) => (isKeptBySheets(value) ? String(value) : null) },
  sql: {
    postgres: 'bigint',
    duckdb: 'BIGINT',
    duckdbOthers: ['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'HUGEINT'],
    spark: 'BIGINT',
    snowflake: 'NUMBER(19,0)',
    bigquery: 'INT64',
    redshift: 'BIGINT',
    clickhouse: 'Nullable(Int64)',
    mariadb: 'bigint',
  },
  jsonSchema: { type: 'integer' },
  tableSchema: 'integer',
  cellKind: 1,
}

function toInteger(value: unknown): number | bigint | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value as number | bigint
  if (typeof value !== 'string' || !wholeNumber.test(value)) return undefined
  const exact = BigInt(value)
  return BigInt.asIntN(64, exact) === exact ? toSmallest(exact) : undefined
}

/** True for at most 15 digits, which spreadsheet programs keep. */
export function isKeptBySheets(value: number | bigint): boolean {
  return value <= mostExact && value >= -mostExact
}

const mostExact = 999_999_999_999_999
