import { firstMillisecond, lastMillisecond } from '../contracts/year-range.ts'
import type { ColumnTypeDefinition } from './column-type-definition.ts'
import {
  formatTimestamp,
  isWithinYears,
  millisecondsADay,
  readRowTime,
  toMilliseconds,
  toSheetDay,
} from './iso-time.ts'
import { compareDigits } from './canonical-text.ts'

export const timestamp: ColumnTypeDefinition<number> = {
  name: 'timestamp',
  form: 'word',
  from: { text: 'converted', integer: 'converted', timestamp: 'same' },
  money: null,
  isOpaque: false,
  namesFolders: false,
  compared: (timezone) => ({ kind: 'time', unit: 'milliseconds', timezone }),

  compileConversion: () => toMilliseconds,
  format: formatTimestamp,
  formatJson: (value) => `"${formatTimestamp(value)}"`,
  parseCanonical: Number,
  compare: compareDigits,
  showCanonical: (canonical) => formatTimestamp(Number(canonical)),
  toRow: (value) => new Date(value),
  fromRow: readRowTime,

  measure: {
    of: 'times',
    unitsADay: BigInt(millisecondsADay),
    toMeasured: BigInt,
    toCanonical: (time) => String(Math.max(firstMillisecond, Math.min(Number(time), lastMillisecond))),
  },
  storage: { kind: 'int64' },
  // In UTC, with milliseconds.
  parquet: { physical: 'int64', converted: { id: 9 }, logical: { id: 8, fields: [true, { id: 1 }] } },
  arrow: {
    id: 10,
    fields: [
      { kind: 'short', value: 1 },
      { kind: 'text', text: 'UTC' },
    ],
  },
  sheet: {
    style: 'yyyy\\-mm\\-dd hh:mm:ss',
    exact: { style: 'yyyy\\-mm\\-dd hh:mm:ss.000', isFor: (value) => value % 1000 !== 0 },
    toNumber: (value) => (isWithinYears(value) ? toSheetDay(value / millisecondsADay) : null),
  },
  sql: {
    postgres: 'timestamp with time zone',
    duckdb: 'TIMESTAMP WITH TIME ZONE',
    duckdbOthers: ['TIMESTAMP', 'TIMESTAMP_MS', 'TIMESTAMP_NS'],
    toStored: (expression) => `epoch_ms(${expression})`,
    spark: 'TIMESTAMP',
    snowflake: 'TIMESTAMP_TZ',
    bigquery: 'TIMESTAMP',
    redshift: 'TIMESTAMP',
    clickhouse: "Nullable(DateTime64(3, 'UTC'))",
    mariadb: 'datetime(3)',
  },
  jsonSchema: { type: 'string', format: 'date-time' },
  tableSchema: 'datetime',
  cellKind: 4,
}

/** Times as lakes have them: stored in microseconds, whose last three digits are 0. Only rows from DuckDB become such values. */
export const microTimestamp: ColumnTypeDefinition<number> = {
  ...timestamp,
  parquet: { physical: 'int64', converted: { id: 10 }, logical: { id: 8, fields: [true, { id: 2 }] } },
  arrow: {
    id: 10,
    fields: [
      { kind: 'short', value: 2 },
      { kind: 'text', text: 'UTC' },
    ],
  },
  sql: { ...timestamp.sql, toStored: (expression) => `epoch_us(${expression})` },
  cellKind: null,
}
