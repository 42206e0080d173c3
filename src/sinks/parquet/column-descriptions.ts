import { describeUnit, type Column } from '../../records/column.ts'

type Pairs = Readonly<Record<string, string>>

/** What a file says of its columns beyond their types, as key-value pairs of the footer: JSON by the name of the column. */
export function describeColumns(columns: readonly Column[]): Pairs {
  const units = columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, describeUnit(unit)] as const]))
  return units.length === 0 ? {} : { 'catalogue-etl.units': JSON.stringify(Object.fromEntries(units)) }
}

/** The same of one column, as key-value pairs of its chunks. */
export function describeColumn({ unit }: Column): Pairs {
  return unit === undefined ? {} : { unit: describeUnit(unit) }
}
