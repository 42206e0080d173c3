import { quoteText } from '../../loads/files/sql-text.ts'
import type { Question } from './question.ts'

export const timeQuestions: readonly Question[] = [
  {
    name: 'status',
    title: 'products of each status',
    toSql(records) {
      return `SELECT ${records.need('status')} AS status, count(*) AS products, round(100 * products / sum(products) OVER (), 1) AS percent
${records.from}
GROUP BY ALL ORDER BY products DESC, status`
    },
  },
  {
    name: 'oldest',
    title: 'active products that were not touched for the longest time',
    toSql(records) {
      const updated = records.need('meta.updatedAt')
      const { cells, join } = records.identity()
      return `SELECT ${cells.join(', ')}, ${updated} AS updated_at,
  date_diff('day', ${updated}, TIMESTAMPTZ ${quoteText(records.catalogue.finishedAt)}) AS days
${records.from}${join}
WHERE ${records.active} AND ${updated} IS NOT NULL
ORDER BY updated_at, id`
    },
  },
  {
    name: 'new-this-week',
    title: 'products created in the seven days before the run',
    toSql(records) {
      const created = records.need('meta.createdAt')
      const { cells, join } = records.identity()
      const status = records.find('status')
      const finished = `TIMESTAMPTZ ${quoteText(records.catalogue.finishedAt)}`
      return `SELECT ${[...cells, ...(status === null ? [] : [`${status} AS status`])].join(', ')}, ${created} AS created_at
${records.from}${join}
WHERE ${created} BETWEEN ${finished} - INTERVAL 7 DAY AND ${finished}
ORDER BY created_at DESC, id`
    },
  },
]
