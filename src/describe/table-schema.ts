import { typeOf, type ColumnType } from '../types/column-types.ts'
import { defaultCsvDialect } from '../formats/csv.ts'
import type { FileFormat } from '../formats/file-format.ts'
import type { ColumnDescription, TableDescription } from '../plan/records/describe-tables.ts'
import { labelOf } from '../records/flatten/column.ts'
import { describeWithNotes } from './describe-with-notes.ts'

export interface TableSchema {
  readonly fields: readonly TableField[]
  readonly primaryKey?: readonly string[]
  readonly foreignKeys?: readonly ForeignKey[]
}

interface TableField {
  readonly name: string
  readonly type: string
  /** The label of the column. */
  readonly title?: string
  readonly description?: string
  readonly constraints?: { readonly required: true }
  readonly [property: string]: unknown
}

interface ForeignKey {
  readonly fields: readonly string[]
  readonly reference: { readonly resource: string; readonly fields: readonly string[] }
}

export interface TableSchemaOptions {
  readonly format: FileFormat
  /** The locales of labels, the best first. */
  readonly locales: readonly string[]
  readonly isKeyed: boolean
  readonly parent: string | null
}

/** The schema of a table's files. Lists in CSV and workbooks are text with a separator. */
export function toTableSchema(
  table: TableDescription,
  { format, locales, isKeyed, parent }: TableSchemaOptions,
): TableSchema {
  const { columns, key } = table
  return {
    fields: columns.map((column) => toField(column, format, locales)),
    ...(isKeyed && key.length > 0 && { primaryKey: key }),
    ...(table.parent !== null && parent !== null && { foreignKeys: [toForeignKey(table.parent, parent)] }),
  }
}

function toForeignKey({ column, from }: NonNullable<TableDescription['parent']>, resource: string): ForeignKey {
  return { fields: [column], reference: { resource, fields: [from] } }
}

function toField(column: ColumnDescription, format: FileFormat, locales: readonly string[]): TableField {
  const title = labelOf(column, locales)
  const description = describeWithNotes(column)
  return {
    name: column.name,
    ...toType(column, format),
    ...(title !== undefined && { title }),
    ...(description !== '' && { description }),
    ...(!column.nullable && { constraints: { required: true } }),
  }
}

function toType({ type, list }: ColumnDescription, format: FileFormat) {
  if (!list) return { type: typeOf(type).tableSchema, ...toDecimalChar(type, format) }
  if (format.format !== 'csv' && format.format !== 'xlsx') return { type: 'array' }
  const { listSeparator } = format.format === 'csv' ? format.dialect : defaultCsvDialect
  return { type: 'list', delimiter: listSeparator, itemType: typeOf(type).tableSchema }
}

function toDecimalChar(type: ColumnType, format: FileFormat) {
  return typeOf(type).tableSchema === 'number' && format.format === 'csv' && format.dialect.decimalSeparator !== '.'
    ? { decimalChar: format.dialect.decimalSeparator }
    : {}
}
