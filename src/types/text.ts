import type { ScalarType } from '../contracts/field-kinds.ts'
import type { ColumnTypeDefinition } from './column-type-definition.ts'
import { isNumeric, isUnclear } from './exact-number-text.ts'
import { JsonCell } from './json-cell.ts'
import { toJsonText } from './json.ts'
import { compareBytes, showText } from './canonical-text.ts'

export const text: ColumnTypeDefinition<string> = {
  name: 'text',
  form: 'text',
  from: { text: 'same', integer: 'same', float: 'same', boolean: 'same', timestamp: 'converted' },
  money: 'delivered',
  isOpaque: false,
  namesFolders: true,
  compared: () => ({ kind: 'text' }),

  compileConversion: (from: ScalarType) =>
    from === 'timestamp' ? secondsToIso : from === 'json' ? toJsonText : toText,
  format: (value) => value,
  formatJson,
  parseCanonical: (canonical) => canonical,
  compare: compareBytes,
  showCanonical: showText,
  fromRow: (value, convert) => convert(value instanceof JsonCell ? value.text : value),

  measure: null,
  storage: { kind: 'utf8' },
  parquet: { physical: 'byteArray', converted: { id: 0 }, logical: { id: 1 } },
  arrow: { id: 5, fields: [] },
  sheet: null,
  sql: {
    postgres: 'text',
    duckdb: 'VARCHAR',
    spark: 'STRING',
    snowflake: 'VARCHAR',
    bigquery: 'STRING',
    redshift: 'VARCHAR(65535)',
    clickhouse: 'Nullable(String)',
    mariadb: 'longtext',
  },
  jsonSchema: { type: 'string' },
  tableSchema: 'string',
  cellKind: 0,
}

function toText(value: unknown): string | undefined {
  if (isUnclear(value)) return undefined
  return typeof value === 'string' ? value : isNumeric(value) || typeof value === 'boolean' ? String(value) : undefined
}

function secondsToIso(value: unknown): string | undefined {
  return typeof value === 'number' ? new Date(value * 1000).toISOString().replace('.000Z', 'Z') : undefined
}

/** Like `JSON.stringify`, which also escapes lone surrogates. Text without escapes takes two thirds of its time. */
function formatJson(value: string): string {
  return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`
}

// oxlint-disable-next-line no-control-regex -- the characters that JSON asks to escape
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/
