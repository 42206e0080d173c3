import { z } from 'zod'
import type { Column } from '../../records/flatten/column.ts'
import { formatColumnType, parseColumnType, typeOf, type ColumnType } from '../../types/column-types.ts'
import type { SchemaField } from '../lake-format.ts'

const field = z.looseObject({
  name: z.string(),
  type: z.unknown(),
  nullable: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
})
const schema = z.looseObject({ type: z.literal('struct'), fields: z.array(field) })

/** The schema of the columns, with descriptions by name; `others` are further fields of a table, which come first. */
export function formatSchema(
  columns: readonly Column[],
  descriptions: Readonly<Record<string, string>>,
  others: readonly unknown[] = [],
): string {
  const fields = columns.map((column) => ({
    name: column.name,
    type: toDeltaType(column),
    nullable: true,
    metadata: {
      ...(descriptions[column.name] && { comment: descriptions[column.name] }),
      [typeKey]: formatColumnType(column),
      ...(column.unit && { [unitKey]: column.unit }),
      ...(column.timezone && { [timezoneKey]: column.timezone }),
      ...(column.from && { [fromKey]: column.from }),
    },
  }))
  return JSON.stringify({ type: 'struct', fields: [...others, ...fields] })
}

/** Throws SyntaxError or ZodError. */
export function parseSchema(schemaString: string): SchemaField[] {
  return schema.parse(JSON.parse(schemaString)).fields.map(({ name, type, metadata }) => {
    const known = parseColumnType(String(metadata[typeKey]))
    const unit = z.enum(['delivered', 'cents', 'units']).safeParse(metadata[unitKey]).data
    const timezone = z.string().safeParse(metadata[timezoneKey]).data
    const from = z.string().safeParse(metadata[fromKey]).data
    const column = known && {
      name,
      ...known,
      ...(unit && { unit }),
      ...(timezone && { timezone }),
      ...(from && { from }),
    }
    return { name, type: showType(type), column }
  })
}

/** The fields of a schema that are none of the columns, as they are written there. */
export function listOtherFields(schemaString: string, columns: readonly Pick<Column, 'name'>[]): unknown[] {
  const names = new Set(columns.map(({ name }) => name))
  return schema.parse(JSON.parse(schemaString)).fields.filter(({ name }) => !names.has(name))
}

/** The fields that ask something of the rows of every writer, and by what. */
export function listBoundFields(schemaString: string): { readonly name: string; readonly by: string }[] {
  return schema.parse(JSON.parse(schemaString)).fields.flatMap(({ name, nullable, metadata }) => {
    const by = nullable
      ? Object.keys(metadata).find((key) => /^delta\.(?:invariants|generat|identity)/.test(key))
      : 'NOT NULL'
    return by === undefined ? [] : [{ name, by }]
  })
}

export function showDeltaType(column: Column): string {
  return showType(toDeltaType(column))
}

function showType(type: unknown): string {
  return typeof type === 'string' ? type : JSON.stringify(type, withoutOrder)
}

/** Members in one order, whoever wrote them. */
function withoutOrder(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function toDeltaType({ type, list }: Column): unknown {
  return list ? { type: 'array', elementType: toElementType(type), containsNull: true } : toElementType(type)
}

/** Delta names types as Spark does, in small letters, but whole numbers. */
function toElementType(type: ColumnType): string {
  const name = typeOf(type).sql.spark.toLowerCase()
  return name === 'bigint' ? 'long' : name
}

const typeKey = 'catalogue-etl.type'
const unitKey = 'catalogue-etl.unit'
const timezoneKey = 'catalogue-etl.timezone'
const fromKey = 'catalogue-etl.from'
