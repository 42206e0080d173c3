import type { ScalarType } from '../contracts/field-kinds.ts'
import type { JsonCell } from './json-cell.ts'
import type { CompareValues } from './canonical-text.ts'

/**
 * A scalar by its column's type: text and json as string, integer as number or (beyond 2^53) bigint, float as number,
 * boolean, timestamp as milliseconds since 1970 UTC, date as days since 1970, decimal as its unscaled integer.
 */
export type Scalar = FilledScalar | null

export type FilledScalar = string | number | bigint | boolean

/**
 * A value of a row by its column's type: text, date (`2026-01-31`) and decimal (`12.50`, exact) as string, integer as
 * number or (beyond 2^53) bigint, float as number, boolean, timestamp as Date, json as JsonCell.
 */
export type RowScalar = FilledScalar | Date | JsonCell | null

/** Converts a canonical value of a field to a cell; undefined if the conversion would lose something. */
export type Convert = (value: unknown) => Scalar | undefined

export interface ConversionOptions {
  /** Decimals of the delivered whole number: 2 for cents. */
  readonly unitScale: number
  readonly timezone: string
}

/**
 * Everything specific to a column type. A new type is a file beside this one and a line in column-types.ts. Functions
 * are looked up once for each column, never for each value.
 */
export interface ColumnTypeDefinition<Value extends FilledScalar = FilledScalar> {
  readonly name: string
  /** The characters of values: any, those of numbers, or ASCII letters, digits and signs. */
  readonly form: 'text' | 'number' | 'word'
  /** The field types that can be converted; `same` if all of their values keep their canonical text. */
  readonly from: Readonly<Partial<Record<ScalarType, 'same' | 'converted'>>>
  /**
   * How an amount of money is written in this type: as the delivered number, or in units of the currency. Null for
   * neither.
   */
  readonly money: 'delivered' | 'units' | null
  /** True if values are neither compared nor counted individually. */
  readonly isOpaque: boolean
  /** True if values can be read back unchanged from folder names. */
  readonly namesFolders: boolean
  /** How configs compare values. A day is compared with times in this time zone. */
  readonly compared: (timezone: string) => ValueType

  /** Compiles the conversion of values that are not null; only text may be empty. */
  readonly compileConversion: (from: ScalarType, options: ConversionOptions) => Convert
  /** The text of a value without loss, as in CSV: times in ISO 8601, decimals with all digits after the point. */
  format(this: void, value: Value): string
  /** The text for COPY. Default: `format`. */
  formatCopy?(this: void, value: Value): string
  formatJson(this: void, value: Value): string
  /** The canonical text of a value, as in the fast path, profiles and rules. Default: `String`. */
  formatCanonical?(this: void, value: Value): string
  parseCanonical(this: void, text: string): Value
  /** Compares canonical texts as byte strings, with one character for each byte. */
  readonly compare: CompareValues
  /** A canonical text as profiles show it: the value of NDJSON, except whole numbers that a reader would round. */
  showCanonical(this: void, text: string): string | number | boolean
  /** The value in rows of the library. Default: the value itself. */
  toRow?(this: void, value: Value): RowScalar
  /**
   * The inverse of `toRow`, for values that are neither null nor undefined. Default: `convert`, the conversion of text.
   */
  fromRow?(this: void, value: unknown, convert: Convert): Scalar | undefined

  /** How values lie on a line, for mean, quantiles and histogram; null for values that don't. */
  readonly measure: Measure | null

  readonly storage: Storage
  readonly parquet: ParquetType
  readonly arrow: ArrowType
  readonly sheet: SheetNumber<Value> | null
  readonly sql: SqlTypes
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /** The type in Frictionless's Table Schema. */
  readonly tableSchema: string
  /** The number of the type in kernel/crates/kernel/src/encode/cells.rs; null if the fast path does not support it. */
  readonly cellKind: number | null
}

/** How a config compares the values of a field or column. */
export type ValueType =
  | { readonly kind: 'text' | 'boolean' | 'integer' | 'float' }
  | { readonly kind: 'decimal'; readonly scale: number }
  /** A number of seconds, milliseconds or days since 1970. A day in a config is in this time zone. */
  | { readonly kind: 'time'; readonly unit: 'seconds' | 'milliseconds' | 'days'; readonly timezone: string }

/** Values as whole numbers of a unit: of a fraction of one, as cents, or of time. */
export type Measure = {
  /** The nearest whole number for a canonical text. */
  toMeasured(this: void, canonical: string): bigint
  /** Times before the year 1 and after 9999 become the first and the last of these. */
  toCanonical(this: void, measured: bigint): string
} & (
  | {
      readonly of: 'numbers'
      readonly decimals: number
      /** Greater numbers are measured as this one, and those below its negative as that. Default: none are. */
      readonly most?: bigint
    }
  | { readonly of: 'times'; readonly unitsADay: bigint }
)

/** The layout of values in record batches, as in Arrow. */
export type Storage =
  | { readonly kind: 'utf8' }
  | { readonly kind: 'int64' | 'float64' | 'int32' | 'bit' }
  | { readonly kind: 'int128'; readonly precision: number }

/** The storage and annotations of values in Parquet. */
export interface ParquetType {
  readonly physical: 'boolean' | 'int32' | 'int64' | 'double' | 'byteArray' | 'fixedLenByteArray'
  /** The byte length of a value of fixed length. */
  readonly length?: number
  /** `ConvertedType`, for older readers, with its parameters. */
  readonly converted?: { readonly id: number; readonly scale?: number; readonly precision?: number }
  readonly logical?: LogicalType
}

/** `LogicalType` of Parquet's metadata: the number of its member, and that member's fields from number 1. */
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

/** How to write values as numeric cells of sheets; types without this are text. */
export interface SheetNumber<Value extends FilledScalar = FilledScalar> {
  /** The number format of cells: the number of a built-in one (0 for none), or a format code. */
  readonly style: number | string
  /** Another format, for values that `style` would round. */
  readonly exact?: { readonly style: string; isFor(this: void, value: Value): boolean }
  readonly isBoolean?: true
  /** Null for a value that programs would round or can't show; it is written as text. */
  toNumber(this: void, value: Value): string | null
}

/** The names of the type in SQL. Warehouses that load it from files may have one for each file format. */
export interface SqlTypes {
  /** As PostgreSQL's `format_type` writes it. */
  readonly postgres: string
  /** As `duckdb_columns` reports it. */
  readonly duckdb: string
  /** As DuckDB reads it from Parquet files. Default: `duckdb`. */
  readonly duckdbFiles?: string
  /** Other DuckDB types that hold such values in files of other programs. */
  readonly duckdbOthers?: readonly string[]
  /** A DuckDB expression that converts a value to its `storage`. Default: the value itself. */
  readonly toStored?: (expression: string) => string
  readonly spark: string
  readonly snowflake: SqlTypeByFormat
  readonly bigquery: SqlTypeByFormat
  readonly redshift: SqlTypeByFormat
  readonly clickhouse: string
  readonly mariadb: string
}

export type SqlTypeByFormat = string | Readonly<Record<'parquet' | 'csv' | 'ndjson', string>>
