import type { RuleReport } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'

/** How many records a report names for each rule. */
export const mostIds = 3

/** `products.public_price: expected at least 1, got 12 other values, such as -5 (ids 17, 23, 42, …)` */
export function describeRule(report: DescribedRule): string {
  const { table, column, expected, found, examples = [] } = report
  const place = column === undefined ? table : `${table}.${column}`
  const such = examples.length === 0 ? '' : `, such as ${examples.map((value) => JSON.stringify(value)).join(', ')}`
  return `${place}: expected ${expected}, got ${found}${such}${describeIds(report)}`
}

type DescribedRule = Partial<Readonly<Record<'column' | 'rule', string | undefined>>> &
  Pick<RuleReport, 'table' | 'expected' | 'found'> & {
    readonly count?: number | undefined
    readonly examples?: RuleReport['examples'] | undefined
    readonly ids?: RuleReport['ids'] | undefined
    readonly listed?: RuleReport['listed'] | undefined
  }

function describeIds({ rule, count = 0, ids = [], listed = 0 }: DescribedRule): string {
  if (ids.length === 0) return ''
  // Several rows may be of one record.
  const hasMore = count > ids.length && (ids.length === mostIds || listed < count)
  const shown = [...ids, ...(hasMore ? ['…'] : [])].join(', ')
  return ` (${rule === 'filled' ? 'without: ' : ''}${ids.length === 1 ? 'id' : 'ids'} ${shown})`
}

/** `each row in out/_broken.csv, the first 1,000 of 52,113 of products.public_price` */
export function describeListed(path: string, rules: readonly DescribedRule[]): string {
  const cut = rules.flatMap(({ table, column, count = 0, listed = 0 }) =>
    listed > 0 && listed < count
      ? [`the first ${formatCount(listed)} of ${formatCount(count)} of ${table}.${column}`]
      : [],
  )
  return [`each row in ${path}`, ...cut].join(', ')
}
