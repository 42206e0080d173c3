import { z } from 'zod'
import { type FieldIds, numberFields } from '../../formats/parquet/parquet-type.ts'
import type { Column } from '../../records/flatten/column.ts'
import { type ColumnType, formatColumnType, parseColumnType, typeOf } from '../../types/column-types.ts'
import type { SchemaField } from '../lake-format.ts'
import { currentSchema, type SchemaEntry, type TableMetadata, type TableSchema } from './table-metadata.ts'

/** The property of a table that says what our loads know of its columns, by name. */
export const columnsProperty = 'catalogue-etl.columns'

const known = z.record(
  z.string(),
  z.object({
    type: z.string(),
    unit: z.enum(['delivered', 'cents', 'units']).optional(),
    timezone: z.string().optional(),
    from: z.string().optional(),
  }),
)

export function formatColumns(columns: readonly Column[]): string {
  return JSON.stringify(
    Object.fromEntries(
      columns.map(({ name, unit, timezone, from, ...column }) => [
        name,
        { type: formatColumnType(column), unit, timezone, from },
      ]),
    ) satisfies z.input<typeof known>,
  )
}

export function toFields(table: TableMetadata): SchemaField[] {
  const columns = parseColumns(table.properties[columnsProperty])
  return currentSchema(table).fields.map(({ name, type }) => ({
    name,
    type: showType(type),
    column: columns.find((column) => column.name === name) ?? null,
  }))
}

function parseColumns(written: string | undefined): Column[] {
  if (written === undefined) return []
  return Object.entries(known.parse(JSON.parse(written))).flatMap(([name, { type, unit, timezone, from }]) => {
    const parsed = parseColumnType(type)
    return parsed === null
      ? []
      : [{ name, ...parsed, ...(unit && { unit }), ...(timezone && { timezone }), ...(from && { from }) }]
  })
}

/** The ids of columns: those that a table has stay, new ones come behind its last, the elements of lists behind all others. */
export function numberColumns(
  columns: readonly Column[],
  fields: readonly SchemaEntry[],
  last: number,
): readonly FieldIds[] {
  const there = columns.map(({ name }) => fields.find((field) => field.name === name))
  const added = columns.filter((_, at) => there[at] === undefined)
  const numbers = numberFields(added)
  return columns.map((column, at) => {
    const field = there[at]
    if (field !== undefined) return { column: field.id, ...readElement(field.type) }
    const { column: id, element } = numbers[added.indexOf(column)] as FieldIds
    return { column: last + id, ...(element !== undefined && { element: last + element }) }
  })
}

function readElement(type: unknown): { readonly element?: number } {
  const { data } = z.object({ 'element-id': z.int() }).safeParse(type)
  return data === undefined ? {} : { element: data['element-id'] }
}

/** The fields of columns, with descriptions by name. */
export function toEntries(
  columns: readonly Column[],
  ids: readonly FieldIds[],
  descriptions: Readonly<Record<string, string>>,
): SchemaEntry[] {
  return columns.map((column, at) => {
    const { column: id, element } = ids[at] as FieldIds
    const doc = descriptions[column.name]
    const scalar = toScalar(column.type)
    const type = column.list
      ? { type: 'list', 'element-id': element, element: scalar, 'element-required': false }
      : scalar
    return { id, name: column.name, required: false, type, ...(doc && { doc }) }
  })
}

export function greatestId(ids: readonly FieldIds[], least: number): number {
  return ids.reduce((most, { column, element = 0 }) => Math.max(most, column, element), least)
}

export function toSchema(id: number, fields: readonly SchemaEntry[]): TableSchema {
  return { type: 'struct', 'schema-id': id, fields: [...fields] }
}

export function showIcebergType({ type, list }: Column): string {
  const scalar = toScalar(type)
  return list ? `list<${scalar}>` : scalar
}

/** Of a type as JSON has it, without its ids. */
function showType(type: unknown): string {
  if (typeof type === 'string') return type.replaceAll(' ', '')
  const { data } = z.object({ type: z.literal('list'), element: z.string() }).safeParse(type)
  return data === undefined ? JSON.stringify(type) : `list<${data.element.replaceAll(' ', '')}>`
}

function toScalar(type: ColumnType): string {
  return type.kind === 'decimal' ? typeOf(type).name : scalars[type.kind]
}

const scalars = {
  text: 'string',
  integer: 'long',
  float: 'double',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  date: 'date',
  json: 'string',
} as const
