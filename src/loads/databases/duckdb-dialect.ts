import { typeOf } from '../../types/column-types.ts'
import type { Column } from '../../records/flatten/column.ts'
import { quoteName } from '../files/sql-text.ts'
import { standardDialect, type SqlDialect } from './sql-dialect.ts'

export const duckdbDialect: SqlDialect = {
  ...standardDialect,
  name: 'duckdb',
  formatType,
  fits: (column, type) => type === formatType(column),
  formatTypeChange(table, column) {
    const [name, type] = [quoteName(column.name), formatType(column)]
    return `ALTER TABLE ${table} ALTER COLUMN ${name} SET DATA TYPE ${type} USING CAST(${name} AS ${type})`
  },
  formatSessionTable: (name) => `temp.${quoteName(name)}`,
  formatMilliseconds: (expression) => `CAST(epoch_ms(${expression}) AS VARCHAR)`,
  formatSessionTableAs: (name, query) => `CREATE TEMPORARY TABLE ${quoteName(name)} AS ${query}`,
  // DuckDB's indexes refuse a key that is deleted and inserted in one transaction; columns are skipped by their zones.
  keys: 'none',
  maxNameBytes: Infinity,
}

function formatType({ type, list }: Column): string {
  const { duckdb } = typeOf(type).sql
  return list ? `${duckdb}[]` : duckdb
}
