import { describeUnit, type Column } from '../../records/flatten/column.ts'

type Pairs = Readonly<Record<string, string>>

/** Descriptions of columns beyond their types, as key-value pairs of the footer: JSON by the name of the column. */
export function describeColumns(columns: readonly Column[]): Pairs {
  return {
    ...toPair('catalogue-etl.units', columns, ({ unit }) => unit && describeUnit(unit)),
    ...toPair('catalogue-etl.time_zones', columns, ({ timezone }) => timezone),
  }
}

/** The same of one column, as key-value pairs of its chunks. */
export function describeColumn({ unit, timezone }: Column): Pairs {
  return {
    ...(unit !== undefined && { unit: describeUnit(unit) }),
    ...(timezone !== undefined && { time_zone: timezone }),
  }
}

function toPair(key: string, columns: readonly Column[], describe: (column: Column) => string | undefined): Pairs {
  const entries = columns.flatMap((column) => {
    const text = describe(column)
    return text === undefined ? [] : [[column.name, text] as const]
  })
  return entries.length === 0 ? {} : { [key]: JSON.stringify(Object.fromEntries(entries)) }
}
