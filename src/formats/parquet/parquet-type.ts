import type { Column, ColumnType } from '../../records/flatten/column.ts'
import { thrift, type ThriftFields, type ThriftValue } from './thrift.ts'

/** The physical types of Parquet, in which the values of a column are stored. */
export const physicalTypes = { boolean: 0, int32: 1, int64: 2, double: 5, byteArray: 6, fixedLenByteArray: 7 } as const

export interface ParquetType {
  readonly physical: (typeof physicalTypes)[keyof typeof physicalTypes]
  /** Bytes of a value of a fixed length. */
  readonly length?: number
  /** The meaning of the values, in the fields that schema elements have for that. */
  readonly annotation?: ThriftFields
}

/** Decimals are stored in 32 bits up to 9 digits, in 64 up to 18, and beyond in as many bytes as they need. */
export function toParquetType(type: ColumnType): ParquetType {
  switch (type.kind) {
    case 'text':
    case 'json':
      return { physical: physicalTypes.byteArray, annotation: annotate(convertedTypes.utf8, logical(1)) }
    case 'integer':
      return { physical: physicalTypes.int64 }
    case 'float':
      return { physical: physicalTypes.double }
    case 'boolean':
      return { physical: physicalTypes.boolean }
    case 'timestamp': {
      const inMilliseconds = logical(8, { 1: thrift.boolean(true), 2: logical(1) })
      return { physical: physicalTypes.int64, annotation: annotate(convertedTypes.timestampMillis, inMilliseconds) }
    }
    case 'date':
      return { physical: physicalTypes.int32, annotation: annotate(convertedTypes.date, logical(6)) }
    case 'decimal': {
      const { precision, scale } = type
      const [scaleField, precisionField] = [thrift.i32(scale), thrift.i32(precision)]
      const meaning = logical(5, { 1: scaleField, 2: precisionField })
      const annotation = { ...annotate(convertedTypes.decimal, meaning), 7: scaleField, 8: precisionField }
      if (precision <= 9) return { physical: physicalTypes.int32, annotation }
      if (precision <= 18) return { physical: physicalTypes.int64, annotation }
      return { physical: physicalTypes.fixedLenByteArray, length: toDecimalBytes(precision), annotation }
    }
  }
}

/** The schema: the root, then each column; a list has three levels, as the format requires. */
export function toSchema(columns: readonly Column[]): ThriftValue {
  const root = thrift.struct({ 4: thrift.text('schema'), 5: thrift.i32(columns.length) })
  return thrift.list([root, ...columns.flatMap(toElements).map(thrift.struct)])
}

/** The names that lead to the values of a column. */
export function toPath({ name, list }: Pick<Column, 'name' | 'list'>): string[] {
  return list ? [name, 'list', 'element'] : [name]
}

function toElements({ name, type, list }: Column): ThriftFields[] {
  const { physical, length, annotation } = toParquetType(type)
  const [leafName = name] = toPath({ name, list }).slice(-1)
  const leaf = {
    1: thrift.i32(physical),
    2: length === undefined ? undefined : thrift.i32(length),
    3: thrift.i32(repetitions.optional),
    4: thrift.text(leafName),
    ...annotation,
  }
  if (!list) return [leaf]
  const one = thrift.i32(1)
  const outer = { 3: thrift.i32(repetitions.optional), 4: thrift.text(name), 5: one }
  const inner = { 3: thrift.i32(repetitions.repeated), 4: thrift.text('list'), 5: one }
  return [{ ...outer, ...annotate(convertedTypes.list, logical(3)) }, inner, leaf]
}

/** Bytes that hold every number of this many digits, with its sign. */
function toDecimalBytes(precision: number): number {
  return Math.ceil((Math.log2(10) * precision + 1) / 8)
}

/** The type as older readers know it, and as newer ones do. */
function annotate(convertedType: number, logicalType: ThriftValue): ThriftFields {
  return { 6: thrift.i32(convertedType), 10: logicalType }
}

function logical(kind: number, fields: ThriftFields = {}): ThriftValue {
  return thrift.struct({ [kind]: thrift.struct(fields) })
}

const convertedTypes = { utf8: 0, list: 3, decimal: 5, date: 6, timestampMillis: 9 } as const
const repetitions = { optional: 1, repeated: 2 } as const
