import { typeOf } from '../types/column-types.ts'
import { describeTables, type ColumnDescription, type TableDescription } from '../plan/records/describe-tables.ts'
import { labelOf } from '../records/flatten/column.ts'
import type { RecordsPlan } from '../plan/records/records-plan.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON Schema (2020-12) of lines in a plan's NDJSON files; `$defs` has the rows of each table. */
export function toRowSchema(name: string, records: RecordsPlan): JsonSchema {
  const tables = describeTables(records).map((table) => [table.name, toRow(table, records.locales)] as const)
  const title = `Rows of the pipeline ${name}`
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, $defs: Object.fromEntries(tables) }
}

function toRow({ name, description, columns }: TableDescription, locales: readonly string[]): JsonSchema {
  return {
    title: name,
    description,
    type: 'object',
    properties: Object.fromEntries(columns.map((column) => [column.name, toProperty(column, locales)])),
    required: columns.map((column) => column.name),
  }
}

function toProperty(column: ColumnDescription, locales: readonly string[]): JsonSchema {
  const { type, list, description, values, deprecated, nullable } = column
  const scalar = typeOf(type).jsonSchema
  const title = labelOf(column, locales)
  const notes = {
    ...(title !== undefined && { title }),
    ...(description !== '' && { description }),
    ...(values.length > 0 && { examples: values }),
    ...(deprecated !== false && { deprecated: true }),
  }
  if (list) return { type: ['array', 'null'], items: orNull(scalar), ...notes }
  return { ...(nullable ? orNull(scalar) : scalar), ...notes }
}

/** A schema without a type accepts null already. */
function orNull({ type, ...rest }: JsonSchema): JsonSchema {
  return type === undefined ? rest : { type: [type, 'null'], ...rest }
}
