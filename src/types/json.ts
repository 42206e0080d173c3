import type { ColumnTypeDefinition } from './column-type-definition.ts'
import { isUnclear } from './exact-number-text.ts'
import { JsonCell } from './json-cell.ts'
import { formatJson } from './json-text.ts'
import { compareBytes, showText } from './canonical-text.ts'

/** JSON text of any value. */
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
  fromRow: (value) => (value instanceof JsonCell ? value.text : formatJson(value)),

  storage: { kind: 'utf8' },
  parquet: { physical: 'byteArray', converted: { id: 0 }, logical: { id: 1 } },
  arrow: { id: 5, fields: [] },
  sheet: null,
  sql: {
    // Not `jsonb`, which would not keep the text as it came.
    postgres: 'json',
    duckdb: 'JSON',
    duckdbFiles: 'VARCHAR',
    spark: 'STRING',
    // JSON is text in the other formats.
    snowflake: { parquet: 'VARCHAR', csv: 'VARCHAR', ndjson: 'VARIANT' },
    // BigQuery loads no text of a Parquet file into a column of JSON.
    bigquery: { parquet: 'STRING', csv: 'JSON', ndjson: 'JSON' },
    redshift: { parquet: 'VARCHAR(65535)', csv: 'VARCHAR(65535)', ndjson: 'SUPER' },
  },
  jsonSchema: {},
  tableSchema: 'any',
  cellKind: 8,
}

/** Undefined for what is nested too deep to be written. */
export function toJsonText(value: unknown): string | undefined {
  if (isUnclear(value)) return undefined
  try {
    return formatJson(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Line breaks of JSON text are only between tokens, where a space means the same. */
function toOneLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+/g, ' ') : value
}
