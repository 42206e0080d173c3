/**
 * The type of a column in every output. `decimal` is exact, with `precision` digits of which `scale` are behind the
 * point; `json` is JSON text.
 */
export type ColumnType =
  | { readonly kind: 'text' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'date' | 'json' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }

export interface Column {
  /** Snake case, unique in its table. */
  readonly name: string
  readonly type: ColumnType
  /** A list of scalars: Parquet LIST, JSON array, values joined by `|` in CSV. */
  readonly list: boolean
  /** The unit of an amount of money. */
  readonly unit?: MoneyUnit
  /** The time zone of a date that is made of a time, by its IANA name. */
  readonly timezone?: string
}

/**
 * `delivered`: the whole number as it came, in the unit of the service. `cents` and `units`: an amount in units of the
 * currency, made of a number that the config says counts cents or units.
 */
export type MoneyUnit = 'delivered' | 'cents' | 'units'

/**
 * One scalar, by the kind of its column: text and json as string, integer as number or (beyond 2^53) bigint, float as
 * number, boolean, timestamp as milliseconds since 1970 UTC, date as days since 1970, decimal as its unscaled integer.
 */
export type Scalar = string | number | bigint | boolean | null

export type Cell = Scalar | readonly Scalar[]

/** The cells of one line of a table, in the order of its columns. */
export type Row = readonly Cell[]

/** The unit of a money column in words, as plans and the metadata of Parquet files have it. */
export function describeUnit(unit: MoneyUnit): string {
  switch (unit) {
    case 'delivered':
      return 'money, the whole number as delivered'
    case 'cents':
      return 'money, delivered in cents, divided by 100'
    case 'units':
      return 'money, delivered in units, not divided'
  }
}

/** True where values are written as text: JSON is text too. */
export function isText({ kind }: ColumnType): boolean {
  return kind === 'text' || kind === 'json'
}

/** The reference encoder of the columns of a table, in some format. Its bytes have a buffer of their own. */
export type EncodeRows = (rows: readonly Row[]) => Uint8Array<ArrayBuffer>

/** `text`, `integer list`, `decimal(12,2)`: a column type as plans and manifests print it. */
export function formatColumnType({ type, list }: Pick<Column, 'type' | 'list'>): string {
  const scalar = type.kind === 'decimal' ? `decimal(${type.precision},${type.scale})` : type.kind
  return list ? `${scalar} list` : scalar
}

/** The reverse of `formatColumnType`; null for what it never prints. */
export function parseColumnType(text: string): Pick<Column, 'type' | 'list'> | null {
  const { scalar = '', list } = /^(?<scalar>[^ ]+)(?<list> list)?$/.exec(text)?.groups ?? {}
  const type = parseScalarType(scalar)
  return type && { type, list: list !== undefined }
}

function parseScalarType(text: string): ColumnType | null {
  const { precision, scale } = /^decimal\((?<precision>\d+),(?<scale>\d+)\)$/.exec(text)?.groups ?? {}
  if (precision !== undefined) return { kind: 'decimal', precision: Number(precision), scale: Number(scale) }
  const kind = plainKinds.find((each) => each === text)
  return kind === undefined ? null : { kind }
}

/** The types that are a word; a decimal has its digits. */
export const plainKinds = ['text', 'integer', 'float', 'boolean', 'timestamp', 'date', 'json'] as const
