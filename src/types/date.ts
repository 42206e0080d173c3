import { types } from 'node:util'
import { firstDay, lastDay } from '../contracts/year-range.ts'
import type { ColumnTypeDefinition, Convert } from './column-type-definition.ts'
import { formatDate, millisecondsADay, readRowTime, toMilliseconds, toSheetDay } from './iso-time.ts'
import { compileLocalDay } from './time-zone.ts'
import { compareDigits } from './canonical-text.ts'

export const date: ColumnTypeDefinition<number> = {
  name: 'date',
  form: 'word',
  from: { text: 'converted', integer: 'converted', timestamp: 'converted' },
  money: null,
  isOpaque: false,
  namesFolders: true,
  compared: (timezone) => ({ kind: 'time', unit: 'days', timezone }),

  compileConversion: (_, { timezone }) => compileDays(timezone),
  format: formatDate,
  formatJson: (value) => `"${formatDate(value)}"`,
  parseCanonical: Number,
  compare: compareDigits,
  showCanonical: (canonical) => formatDate(Number(canonical)),
  toRow: formatDate,
  fromRow(value, convert) {
    const time = readRowTime(value, convert)
    return types.isDate(value) && typeof time === 'number' ? Math.floor(time / millisecondsADay) : time
  },

  measure: {
    of: 'times',
    unitsADay: 1n,
    toMeasured: BigInt,
    toCanonical: (day) => String(Math.max(firstDay, Math.min(Number(day), lastDay))),
  },
  storage: { kind: 'int32' },
  parquet: { physical: 'int32', converted: { id: 6 }, logical: { id: 6 } },
  arrow: { id: 8, fields: [{ kind: 'short', value: 0 }] },
  sheet: { style: 'yyyy\\-mm\\-dd', toNumber: (value) => (value <= lastDay ? toSheetDay(value) : null) },
  sql: {
    postgres: 'date',
    duckdb: 'DATE',
    spark: 'DATE',
    snowflake: 'DATE',
    bigquery: 'DATE',
    redshift: 'DATE',
    clickhouse: 'Nullable(Date32)',
    mariadb: 'date',
  },
  jsonSchema: { type: 'string', format: 'date' },
  tableSchema: 'date',
  cellKind: 6,
}

/** Converts a time to its day in the time zone; a text date without a time is that day. Only the years 1 to 9999. */
function compileDays(timezone: string): Convert {
  const toLocalDay = compileLocalDay(timezone)
  return (value) => {
    const milliseconds = toMilliseconds(value)
    if (milliseconds === undefined) return undefined
    if (typeof value === 'string' && value.length === dayLength) return milliseconds / millisecondsADay
    const day = toLocalDay(milliseconds)
    return day >= firstDay && day <= lastDay ? day : undefined
  }
}

const dayLength = 10
