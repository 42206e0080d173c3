import type { ScalarType } from '../contracts/field-kinds.ts'
import type { JsonCell } from './json-cell.ts'
import type { CompareValues } from './canonical-text.ts'

/**
 * One scalar, by the type of its column: text and json as string, integer as number or (beyond 2^53) bigint, float as
 * number, boolean, timestamp as milliseconds since 1970 UTC, date as days since 1970, decimal as its unscaled integer.
 */
export type Scalar = FilledScalar | null

export type FilledScalar = string | number | bigint | boolean

/**
 * A value of a row by the type of its column: text, date (`2026-01-31`) and decimal (`12.50`, exact) as string, integer
 * as number or (beyond 2^53) bigint, float as number, boolean, timestamp as Date, json as JsonCell.
 */
export type RowScalar = FilledScalar | Date | JsonCell | null

/** Turns a canonical value of a field into a cell; undefined if that loses something. */
export type Convert = (value: unknown) => Scalar | undefined

export interface ConversionOptions {
  /** Decimals of the delivered whole number: 2 for cents. */
  readonly unitScale: number
  /** The time zone of dates. */
  readonly timezone: string
}

/**
 * All that is particular to a column type. A new one is a file like those beside this one and a line in
 * column-types.ts. What is a function is looked up once a column, never once a value.
 */
export interface ColumnTypeDefinition<Value extends FilledScalar = FilledScalar> {
  /** The type as configs, plans and manifests print it: `decimal(12,2)`. */
  readonly name: string
  /** What values are written with: any characters, the digits of a number, or letters, digits and signs of ASCII. */
  readonly form: 'text' | 'number' | 'word'
  /** The fields that can become it; `same` if the canonical text of each of their values is that of the column's too. */
  readonly from: Readonly<Partial<Record<ScalarType, 'same' | 'converted'>>>
  /** What an amount of money is in it: the number that was delivered, or units of the currency. Null for neither. */
  readonly money: 'delivered' | 'units' | null
  /** True if values are neither compared nor counted one by one. */
  readonly isOpaque: boolean
  /** True if values are read back unchanged from names of folders. */
  readonly namesFolders: boolean
  /** What configs compare values with; a day among times is one of the time zone. */
  readonly compared: (timezone: string) => ValueType

  /** The conversion of values that are neither null nor, but for text, empty. */
  readonly compileConversion: (from: ScalarType, options: ConversionOptions) => Convert
  /** The text of a value without loss, as CSV has it: times in ISO 8601, decimals with all digits behind the point. */
  format(this: void, value: Value): string
  /** The text in COPY; by default the same. */
  formatCopy?(this: void, value: Value): string
  /** The value in NDJSON. */
  formatJson(this: void, value: Value): string
  /** The canonical text of a value, in which the fast path, the profile and rules have it; by default `String`. */
  formatCanonical?(this: void, value: Value): string
  parseCanonical(this: void, text: string): Value
  /** The order of canonical texts as byte strings, a character a byte. */
  readonly compare: CompareValues
  /** A canonical text as the profile shows it: the value of NDJSON, but for whole numbers that a reader would round. */
  showCanonical(this: void, text: string): string | number | boolean
  /** The value in rows of the library; by default the value itself. */
  toRow?(this: void, value: Value): RowScalar
  /** The reverse, for what is neither null nor undefined; by default `convert`, the conversion of text. */
  fromRow?(this: void, value: unknown, convert: Convert): Scalar | undefined

  readonly storage: Storage
  readonly parquet: ParquetType
  readonly arrow: ArrowType
  readonly sheet: SheetNumber<Value> | null
  readonly sql: SqlTypes
  /** JSON Schema of a value in NDJSON. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /** The type of Frictionless's Table Schema. */
  readonly tableSchema: string
  /** The number of the type in wasm/encode/encode-cells.ts; null if the fast path does not know it. */
  readonly cellKind: number | null
}

/** The values of a field or a column, to which a config compares them. */
export type ValueType =
  | { readonly kind: 'text' | 'boolean' | 'integer' | 'float' }
  /** Unscaled integers. */
  | { readonly kind: 'decimal'; readonly scale: number }
  /** Numbers of seconds, milliseconds or days since 1970. A day in a config is one of the time zone. */
  | { readonly kind: 'time'; readonly unit: 'seconds' | 'milliseconds' | 'days'; readonly timezone: string }

/** The layout of values in record batches, which is that of Arrow. */
export type Storage =
  | { readonly kind: 'utf8' }
  | { readonly kind: 'int64' | 'float64' | 'int32' | 'bit' }
  /** Whole numbers of at most so many digits. */
  | { readonly kind: 'int128'; readonly precision: number }

/** How Parquet stores values, and what it says of their meaning. */
export interface ParquetType {
  readonly physical: 'boolean' | 'int32' | 'int64' | 'double' | 'byteArray' | 'fixedLenByteArray'
  /** Bytes of a value of a fixed length. */
  readonly length?: number
  /** `ConvertedType`, for older readers, with what it needs beside it. */
  readonly converted?: { readonly id: number; readonly scale?: number; readonly precision?: number }
  readonly logical?: LogicalType
}

/** `LogicalType` of Parquet's metadata: the number of its member, and the fields of that from number 1 on. */
export interface LogicalType {
  readonly id: number
  readonly fields?: readonly (boolean | number | LogicalType)[]
}

/** `Type` of Arrow's Schema.fbs, with the fields of its table. */
export interface ArrowType {
  readonly id: number
  readonly fields: readonly (
    | { readonly kind: 'byte' | 'short' | 'int'; readonly value: number }
    | { readonly kind: 'text'; readonly text: string }
  )[]
}

/** Values as numbers in cells of sheets; those of other types are text. */
export interface SheetNumber<Value extends FilledScalar = FilledScalar> {
  /** The number format of cells: the number of one that every program has (0 for none), or its code. */
  readonly style: number | string
  /** Another format, for values that the usual one would not show as a whole. */
  readonly exact?: { readonly style: string; isFor(this: void, value: Value): boolean }
  readonly isBoolean?: true
  /** Null for a value that programs would round or can't show, which is written as text. */
  toNumber(this: void, value: Value): string | null
}

/** Names of the type in SQL; of warehouses that load it from files, by the format of the files where that matters. */
export interface SqlTypes {
  /** As `format_type` of the server writes it. */
  readonly postgres: string
  /** As `duckdb_columns` reports it. */
  readonly duckdb: string
  /** In Parquet files as DuckDB reads them; by default as in its tables. */
  readonly duckdbFiles?: string
  /** Other types of DuckDB that hold such values, in files of other programs. */
  readonly duckdbOthers?: readonly string[]
  /** An expression of DuckDB that makes values `storage` out of those of its type; by default they are that. */
  readonly toStored?: (expression: string) => string
  readonly spark: string
  readonly snowflake: SqlTypeByFormat
  readonly bigquery: SqlTypeByFormat
  readonly redshift: SqlTypeByFormat
}

export type SqlTypeByFormat = string | Readonly<Record<'parquet' | 'csv' | 'ndjson', string>>
