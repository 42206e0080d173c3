import { typeOf } from '../../../types/column-types.ts'
import { databaseServers } from '../../../config/database-servers.ts'
import type { Column } from '../../../records/flatten/column.ts'
import { quoteName } from '../../files/sql-text.ts'
import { standardDialect, type SqlDialect } from '../sql-dialect.ts'

export const postgresDialect: SqlDialect = {
  ...standardDialect,
  name: 'postgres',
  formatType,
  fits: (column, type) =>
    type === formatType(column) || (type === 'jsonb' && column.type.kind === 'json' && !column.list),
  // JSON is compared by its text, as it has no equality.
  formatComparable: (value, { type }) => (type?.kind === 'json' ? `CAST(${value} AS text)` : value),
  formatTypeChange(table, column) {
    const [name, type] = [quoteName(column.name), formatType(column)]
    return `ALTER TABLE ${table} ALTER COLUMN ${name} TYPE ${type} USING ${name}::text::${type}`
  },
  formatSessionTable: (name) => `pg_temp.${quoteName(name)}`,
  formatMilliseconds: (expression) => `round(extract(epoch FROM ${expression}) * 1000)::bigint::text`,
  formatSessionTableAs: (name, query) => `CREATE TEMPORARY TABLE ${quoteName(name)} ON COMMIT DROP AS ${query}`,
  keys: 'filled',
  maxNameBytes: databaseServers.postgres.mostNameBytes,
}

function formatType({ type, list }: Column): string {
  const { postgres } = typeOf(type).sql
  return list ? `${postgres}[]` : postgres
}
