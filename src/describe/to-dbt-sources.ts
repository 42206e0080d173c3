import { stringify } from 'yaml'
import { duckdbDialect } from '../loads/databases/duckdb-dialect.ts'
import { describeTables, type ColumnDescription, type TableDescription } from '../plan/records/describe-tables.ts'
import type { RecordsPlan } from '../plan/records/records-plan.ts'
import { describeWithNotes } from './describe-with-notes.ts'

/** Formats the tables of a plan as YAML for the `models/` folder of a dbt project, with tests for keys. */
export function toDbtSources(name: string, records: RecordsPlan): string {
  const schema = name.replaceAll('-', '_')
  const source = {
    name: schema,
    description: `Tables of the pipeline ${name}`,
    tables: describeTables(records).map((table) => toTable(table, schema)),
  }
  return stringify({ version: 2, sources: [source] }, { lineWidth: 0 })
}

function toTable({ name, description, columns, key, parent }: TableDescription, source: string) {
  return {
    name,
    description,
    columns: columns.map((column) =>
      toColumn(column, key.length === 1 && key[0] === column.name, toRelation(column, parent, source)),
    ),
  }
}

function toRelation({ name }: ColumnDescription, parent: TableDescription['parent'], source: string) {
  if (parent?.column !== name) return []
  const reference = { to: `source('${source}', '${parent.table}')`, field: parent.from }
  return [{ relationships: { arguments: reference } }]
}

function toColumn(column: ColumnDescription, isKey: boolean, relations: readonly unknown[]) {
  const description = describeWithNotes(column)
  const tests = [...(isKey ? ['unique'] : []), ...(column.nullable ? [] : ['not_null']), ...relations]
  const { from, unit } = column
  const meta = { ...(from !== '' && { from }), ...(unit && { unit }) }
  return {
    name: column.name,
    ...(description !== '' && { description }),
    data_type: duckdbDialect.formatType(column).toLowerCase(),
    ...(Object.keys(meta).length > 0 && { config: { meta } }),
    ...(tests.length > 0 && { data_tests: tests }),
  }
}
