import type { ColumnTypeDefinition } from './column-type-definition.ts'
import { isUnclear } from './exact-number-text.ts'
import { JsonCell } from './json-cell.ts'
import { formatJson, formatJsonIfHeld } from './json-text.ts'
import { compareBytes, showText } from './canonical-text.ts'

export const json: ColumnTypeDefinition<string> = {
  name: 'json',
  form: 'text',
  from: { text: 'converted', integer: 'same', float: 'same', boolean: 'same', timestamp: 'same', json: 'same' },
  money: 'delivered',
  isOpaque: true,
  namesFolders: false,
  compared: () => ({ kind: 'text' }),

  compileConversion: () => toJsonText,
  format: (value) => value,
  formatJson: toOneLine,
  parseCanonical: (canonical) => canonical,
  compare: compareBytes,
  showCanonical: showText,
  toRow: (value) => new JsonCell(value),
  fromRow: (value) => (value instanceof JsonCell ? value.text : formatJsonIfHeld(value)),

  measure: null,
  storage: { kind: 'utf8' },
  parquet: { physical: 'byteArray', converted: { id: 0 }, logical: { id: 1 } },
  arrow: { id: 5, fields: [] },
  sheet: null,
  sql: {
    // Not `jsonb`, which would change the text.
    postgres: 'json',
    duckdb: 'JSON',
    duckdbFiles: 'VARCHAR',
    spark: 'STRING',
    // JSON is text in the other formats.
    snowflake: { parquet: 'VARCHAR', csv: 'VARCHAR', ndjson: 'VARIANT' },
    // BigQuery does not load text from Parquet files into JSON columns.
    bigquery: { parquet: 'STRING', csv: 'JSON', ndjson: 'JSON' },
    redshift: { parquet: 'VARCHAR(65535)', csv: 'VARCHAR(65535)', ndjson: 'SUPER' },
    clickhouse: 'Nullable(String)',
    // Text that is checked, and kept as it was.
    mariadb: 'json',
  },
  jsonSchema: {},
  tableSchema: 'any',
  cellKind: 8,
}

/** Undefined for values nested too deep, and for a number that is already rounded. */
export function toJsonText(value: unknown): string | undefined {
  if (isUnclear(value)) return undefined
  try {
    return formatJson(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Replaces line breaks of JSON text, which occur only between tokens, by spaces. */
function toOneLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+/g, ' ') : value
}
