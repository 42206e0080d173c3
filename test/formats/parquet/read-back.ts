import {
  DuckDBDateValue,
  type DuckDBConnection,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBTimestampTZValue,
} from '@duckdb/node-api'
import { tableFromIPC, type Vector } from 'apache-arrow'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { readParquet } from 'parquet-wasm/node'
import type { Cell, Column, Row } from '../../../src/records/flatten/column.ts'
import type { ColumnType } from '../../../src/types/column-types.ts'
import type { Scalar } from '../../../src/types/column-type-definition.ts'
import { toArrayBuffer } from './write-parquet.ts'

/*
 * The rows of a file as three readers see them, exactly: whole numbers, decimals, timestamps and dates as bigints,
 * decimals unscaled. What DuckDB and arrow-rs give has gone through JavaScript's decoders, which take a byte order mark
 * from the beginning of a text.
 */

/** The rows that the readers should give. */
export function toExactRows(columns: readonly Column[], rows: readonly Row[]): Row[] {
  const isWhole = columns.map(({ type }) => !['text', 'json', 'float', 'boolean'].includes(type.kind))
  return rows.map((row) => row.map((cell, index) => mapCell(cell, (value) => (isWhole[index] ? BigInt(value) : value))))
}

/** Without what the types of the columns mean, which this reader makes inexact numbers of. */
export async function readWithHyparquet(columns: readonly Column[], bytes: Uint8Array): Promise<Row[]> {
  const file = toArrayBuffer(bytes)
  const metadata = parquetMetadata(file)
  const schema = metadata.schema.map(({ logical_type, converted_type, ...element }) =>
    element.type === undefined ? { ...element, logical_type, converted_type } : element,
  )
  const rows = await parquetReadObjects({ file, compressors, metadata: { ...metadata, schema } as never, utf8: false })
  return rows.map((row) =>
    columns.map(({ name, type }) => mapCell(row[name] as Cell, (value) => fromPhysical(type, value))),
  )
}

export async function readWithDuckDb(connection: DuckDBConnection, path: string): Promise<Row[]> {
  const read = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)
  return read.getRows().map((row) => row.map((value) => fromDuckDb(value)))
}

/** By way of arrow-rs. */
export function readWithArrow(columns: readonly Column[], bytes: Uint8Array): Row[] {
  const table = tableFromIPC(readParquet(bytes).intoIPCStream())
  return Array.from({ length: table.numRows }, (_, row) =>
    columns.map(({ type, list }, index) => {
      const value: unknown = table.getChildAt(index)?.get(row)
      if (value === null || !list) return fromArrow(type, value)
      return Array.from(value as Vector, (element: unknown) => fromArrow(type, element))
    }),
  )
}

export function mapCell(cell: Cell, map: (value: NonNullable<Scalar>) => Scalar): Cell {
  if (Array.isArray(cell)) return (cell as readonly Scalar[]).map((value) => (value === null ? null : map(value)))
  return cell === null || cell === undefined ? null : map(cell as NonNullable<Scalar>)
}

function fromPhysical({ kind }: ColumnType, value: unknown): Scalar {
  if (value instanceof Uint8Array) {
    return kind === 'decimal' ? fromBigEndian(value) : Buffer.from(value).toString()
  }
  return kind === 'date' || kind === 'decimal' ? BigInt(value as number) : (value as Scalar)
}

export function fromBigEndian(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

function fromDuckDb(value: unknown): Cell {
  if (value instanceof DuckDBListValue) return value.items.map((item) => fromDuckDb(item) as Scalar)
  if (value instanceof DuckDBDecimalValue) return value.value
  if (value instanceof DuckDBTimestampTZValue) return value.micros / 1000n
  if (value instanceof DuckDBDateValue) return BigInt(value.days)
  return value as Scalar
}

function fromArrow({ kind }: ColumnType, value: unknown): Scalar {
  if (value === null || value === undefined) return null
  if (value instanceof Uint32Array) {
    return BigInt.asIntN(
      128,
      value.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
    )
  }
  if (kind === 'date') return BigInt((value as number) / millisecondsADay)
  return kind === 'timestamp' ? BigInt(value as number) : (value as Scalar)
}

const millisecondsADay = 86_400_000
