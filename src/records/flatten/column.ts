import type { Scalar } from '../../types/column-type-definition.ts'
import type { ColumnType } from '../../types/column-types.ts'

export interface Column {
  /** Snake case, unique in its table. */
  readonly name: string
  readonly type: ColumnType
  /** A list of scalars: Parquet LIST, JSON array, values joined by `|` in CSV. */
  readonly list: boolean
  readonly unit?: MoneyUnit
  /** The time zone of a date that is made of a time, by its IANA name. */
  readonly timezone?: string
  /** The path in the record, of a column that a config names. */
  readonly from?: string
  readonly label?: ColumnLabel
  /** True for a column of a table that is only counted, if its rows are told apart by many values, such as names. */
  readonly groupsRows?: boolean
}

/** What a header shows in place of the name: in every locale, or by locale. */
export type ColumnLabel = string | Readonly<Record<string, string>>

/** The label of a column in the first of these locales that it has one in. */
export function labelOf({ label }: Pick<Column, 'label'>, locales: readonly string[]): string | undefined {
  if (typeof label !== 'object') return label
  const locale = locales.find((each) => Object.hasOwn(label, each))
  return locale === undefined ? undefined : label[locale]
}

/** The columns under the texts of their header: labels of the locale, and names where there is none. */
export function toHeaderColumns<Named extends Column>(
  columns: readonly Named[],
  locale: string | undefined,
): readonly Named[] {
  if (locale === undefined) return columns
  return columns.map((column) => ({ ...column, name: labelOf(column, [locale]) ?? column.name }))
}

/**
 * `delivered`: the unchanged whole number, in the unit of the service. `cents` and `units`: an amount in units of the
 * currency, made of a number that the config says counts cents or units.
 */
export type MoneyUnit = 'delivered' | 'cents' | 'units'

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

/** The reference encoder of the columns of a table, in some format. Its bytes have a buffer of their own. */
export type EncodeRows = (rows: readonly Row[]) => Uint8Array<ArrayBuffer>
