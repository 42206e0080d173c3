import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow'
import type { Column, ColumnType, Row, Scalar } from '../records/column.ts'
import { compileArrowList, compileArrowScalars } from './arrow-data.ts'

/**
 * Rows as an Arrow IPC stream: the schema and one batch, also where there is no row. Every column is nullable. The
 * bytes have a buffer of their own, which may be transferred.
 */
export function createArrowEncoder(columns: readonly Column[]): (rows: readonly Row[]) => Uint8Array<ArrayBuffer> {
  const struct = new Struct(columns.map(toField))
  const schema = new Schema(struct.children)
  const compiled = columns.map((column, index) => {
    const { name, type } = struct.children[index] as Field
    return column.list ? compileArrowList(type as List, name) : compileArrowScalars(type, name)
  })
  return (rows) => {
    const children = compiled.map((toData, index) =>
      toData(rows.map((row) => row[index] as Scalar & readonly Scalar[])),
    )
    const data = makeData({ type: struct, length: rows.length, nullCount: 0, children })
    const writer = new RecordBatchStreamWriter()
    writer.write(new RecordBatch(schema, data))
    return writer.finish().toUint8Array(true) as Uint8Array<ArrayBuffer>
  }
}

/** The element of a list is named as the Parquet format asks. */
function toField({ name, type, list }: Column): Field {
  const scalar = toArrowType(type)
  return new Field(name, list ? new List(new Field('element', scalar, true)) : scalar, true)
}

function toArrowType(type: ColumnType): DataType {
  switch (type.kind) {
    case 'text':
    case 'json':
      return new Utf8()
    case 'integer':
      return new Int64()
    case 'float':
      return new Float64()
    case 'boolean':
      return new Bool()
    case 'timestamp':
      return new TimestampMillisecond('UTC')
    case 'date':
      return new DateDay()
    case 'decimal':
      return new Decimal(type.scale, type.precision, 128)
  }
}
