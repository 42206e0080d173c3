import { quoteName } from '../../loads/files/sql-text.ts'
import type { PublishedTable } from '../sql/published-table.ts'
import type { Records } from './catalogue.ts'
import type { Question } from './question.ts'

export const priceQuestions: readonly Question[] = [
  {
    name: 'price-changes',
    title: 'the largest price changes, from a history or from files of changes',
    toSql(records) {
      records.need('publicPrice')
      const versions = findVersions(records)
      if (versions === null)
        return records.throwMissing(
          'an output with `mode: history`',
          'the older prices of an output with `mode: history` or `mode: changes`',
        )
      const { cells, join } = records.identity()
      const { from, id, price, time } = versions
      return `WITH versions AS (
  SELECT ${id} AS id, ${time} AS changed_at, ${price} AS new,
    lag(${price}) OVER (PARTITION BY ${id} ORDER BY ${time}) AS old
  FROM ${from} WHERE ${price} > 0
)
SELECT ${cells.join(', ')}, v.old, v.new, v.new - v.old AS difference, round(100 * (v.new - v.old) / v.old, 1) AS percent, v.changed_at
FROM versions v JOIN (SELECT * ${records.from}) p ON ${records.need('id')} = v.id${join}
WHERE v.old <> v.new
ORDER BY abs(v.new - v.old) DESC, id, changed_at`
    },
  },
  {
    name: 'odd-prices',
    title: 'implausible prices of active products, and why',
    toSql(records) {
      const price = records.need('publicPrice')
      const pharmacist = records.find('pharmacistPrice')
      const { cells, join } = records.identity()
      const reasons = [
        [`${price} <= 0`, 'zero or less'],
        ...(pharmacist === null ? [] : [[`${pharmacist} > ${price}`, 'below the price of the pharmacist']]),
        [`${price} > 100 * m.price`, 'more than 100 times the median'],
        [`${price} > 0 AND 100 * ${price} < m.price`, 'less than a hundredth of the median'],
      ] as [string, string][]
      const why = reasons.map(([test, reason]) => `CASE WHEN ${test} THEN '${reason}' END`)
      const prices = [`${price} AS public_price`, ...(pharmacist === null ? [] : [`${pharmacist} AS pharmacist_price`])]
      return `SELECT ${[...cells, ...prices].join(', ')}, concat_ws(', ', ${why.join(',\n    ')}) AS why
${records.from}${join}
CROSS JOIN (SELECT median(${price}) AS price ${records.from} WHERE ${records.active} AND ${price} > 0) m
WHERE ${records.active} AND (${reasons.map(([test]) => `(${test})`).join(' OR ')})
ORDER BY id`
    },
  },
]

interface Versions {
  readonly from: string
  readonly id: string
  readonly price: string
  readonly time: string
}

/** The table with older prices of the records. */
function findVersions({ table, catalogue }: Records): Versions | null {
  const names = [table.name, `${table.name}_history`, `${table.name}_changes`]
  for (const each of names.flatMap((name) => catalogue.tables.find((other) => other.name === name) ?? [])) {
    const time = ['valid_from', '_changed_at'].find((name) => each.columns.some((column) => column.name === name))
    const [id, price] = [findColumn(each, 'id'), findColumn(each, 'publicPrice')]
    if (time === undefined || id === null || price === null) continue
    return { from: quoteName(each.name), id, price, time: quoteName(time) }
  }
  return null
}

function findColumn({ columns }: PublishedTable, path: string): string | null {
  const column = columns.find(({ from }) => from === path)
  return column === undefined ? null : quoteName(column.name)
}
