import type { ColumnTypeDefinition } from './column-type-definition.ts'
import { compareBytes } from './canonical-text.ts'

export const boolean: ColumnTypeDefinition<boolean> = {
  name: 'boolean',
  form: 'word',
  from: { text: 'converted', integer: 'converted', boolean: 'same' },
  money: null,
  isOpaque: false,
  namesFolders: true,
  compared: () => ({ kind: 'boolean' }),

  compileConversion: () => toBoolean,
  format: String,
  formatJson: String,
  parseCanonical: (canonical) => canonical === 'true',
  compare: compareBytes,
  showCanonical: (canonical) => canonical === 'true',

  measure: null,
  storage: { kind: 'bit' },
  parquet: { physical: 'boolean' },
  arrow: { id: 6, fields: [] },
  sheet: { style: 0, isBoolean: true, toNumber: (value) => (value ? '1' : '0') },
  sql: {
    postgres: 'boolean',
    duckdb: 'BOOLEAN',
    spark: 'BOOLEAN',
    snowflake: 'BOOLEAN',
    bigquery: 'BOOL',
    redshift: 'BOOLEAN',
    clickhouse: 'Nullable(Bool)',
    mariadb: 'boolean',
  },
  jsonSchema: { type: 'boolean' },
  tableSchema: 'boolean',
  cellKind: 3,
}

/** `unknown` becomes null; other words are undefined. */
function toBoolean(value: unknown): boolean | null | undefined {
  switch (value) {
    case true:
    case 1:
    case '1':
    case 'true':
    case 'yes':
      return true
    case false:
    case 0:
    case '0':
    case 'false':
    case 'no':
      return false
    case 'unknown':
      return null
    default:
      return undefined
  }
}
