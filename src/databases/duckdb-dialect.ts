import type { Column, ColumnType } from '../records/column.ts'
import { quoteName, type SqlDialect } from './sql-dialect.ts'

export const duckdbDialect: SqlDialect = {
  name: 'duckdb',
  formatType,
  listFittingTypes: (column) => [formatType(column)],
  formatTypeChange(table, column) {
    const [name, type] = [quoteName(column.name), formatType(column)]
    return `ALTER TABLE ${table} ALTER COLUMN ${name} SET DATA TYPE ${type} USING CAST(${name} AS ${type})`
  },
  formatSessionTable: (name) => `temp.${quoteName(name)}`,
  formatMilliseconds: (expression) => `CAST(epoch_ms(${expression}) AS VARCHAR)`,
  createSessionTable: 'CREATE TEMPORARY TABLE',
  // Its indexes refuse a key that is deleted and inserted in one transaction; columns are skipped by their zones.
  formatIndex: () => null,
  maxNameBytes: Infinity,
}

/** As `duckdb_columns` reports it. */
function formatType({ type, list }: Column): string {
  return formatScalarType(type) + (list ? '[]' : '')
}

function formatScalarType(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      return 'VARCHAR'
    case 'integer':
      return 'BIGINT'
    case 'float':
      return 'DOUBLE'
    case 'boolean':
      return 'BOOLEAN'
    case 'timestamp':
      return 'TIMESTAMP WITH TIME ZONE'
    case 'date':
      return 'DATE'
    case 'json':
      return 'JSON'
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`
  }
}
