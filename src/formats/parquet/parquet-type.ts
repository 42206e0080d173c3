import type { Column } from '../../records/flatten/column.ts'
import type { LogicalType } from '../../types/column-type-definition.ts'
import { typeOf, type ColumnType } from '../../types/column-types.ts'
import { thrift, type ThriftFields, type ThriftValue } from './thrift.ts'

const physicalTypes = { boolean: 0, int32: 1, int64: 2, double: 5, byteArray: 6, fixedLenByteArray: 7 } as const

/** The ids by which table formats know a column, and the elements of a list. */
export interface FieldIds {
  readonly column: number
  readonly element?: number
}

/** Numbers the columns from 1 on, then the elements of their lists. */
export function numberFields(columns: readonly Pick<Column, 'list'>[]): FieldIds[] {
  let last = columns.length
  return columns.map(({ list }, at) => ({ column: at + 1, ...(list && { element: ++last }) }))
}

/** The schema: the root, then each column; a list has three levels, as the format requires. */
export function toSchema(columns: readonly Column[], ids: readonly FieldIds[] = []): ThriftValue {
  const root = thrift.struct({ 4: thrift.text('schema'), 5: thrift.i32(columns.length) })
  return thrift.list([root, ...columns.flatMap((column, at) => toElements(column, ids[at])).map(thrift.struct)])
}

export function toPhysicalType(type: ColumnType): number {
  return physicalTypes[typeOf(type).parquet.physical]
}

/** The names that lead to the values of a column. */
export function toPath({ name, list }: Pick<Column, 'name' | 'list'>): string[] {
  return list ? [name, 'list', 'element'] : [name]
}

function toElements({ name, type, list }: Column, ids: FieldIds | undefined): ThriftFields[] {
  const { length, converted, logical } = typeOf(type).parquet
  const [leafName = name] = toPath({ name, list }).slice(-1)
  const leaf = {
    1: thrift.i32(toPhysicalType(type)),
    2: toI32(length),
    3: thrift.i32(repetitions.optional),
    4: thrift.text(leafName),
    6: converted && thrift.i32(converted.id),
    7: toI32(converted?.scale),
    8: toI32(converted?.precision),
    9: toI32(list ? ids?.element : ids?.column),
    10: logical && toThrift(logical),
  }
  if (!list) return [leaf]
  const one = thrift.i32(1)
  const outer = { 3: thrift.i32(repetitions.optional), 4: thrift.text(name), 5: one }
  const inner = { 3: thrift.i32(repetitions.repeated), 4: thrift.text('list'), 5: one }
  const ofList = { 6: thrift.i32(listTypes.converted), 9: toI32(ids?.column), 10: toThrift({ id: listTypes.logical }) }
  return [{ ...outer, ...ofList }, inner, leaf]
}

function toI32(value: number | undefined): ThriftValue | undefined {
  return value === undefined ? undefined : thrift.i32(value)
}

function toThrift({ id, fields = [] }: LogicalType): ThriftValue {
  const values = fields.map((field) =>
    typeof field === 'boolean'
      ? thrift.boolean(field)
      : typeof field === 'number'
        ? thrift.i32(field)
        : toThrift(field),
  )
  return thrift.struct({ [id]: thrift.struct(Object.fromEntries(values.map((value, at) => [at + 1, value]))) })
}

/** The list type, as older and as newer readers know it. */
const listTypes = { converted: 3, logical: 3 } as const
const repetitions = { optional: 1, repeated: 2 } as const
