import type { RuleReport } from './judge-rules.ts'

/** `products.public_price: expected at least 1, got 12 other values, such as -5` */
export function describeRule({ table, column, expected, found, examples = [] }: RuleReport): string {
  const place = column === undefined ? table : `${table}.${column}`
  const such = examples.length === 0 ? '' : `, such as ${examples.map((value) => JSON.stringify(value)).join(', ')}`
  return `${place}: expected ${expected}, got ${found}${such}`
}
