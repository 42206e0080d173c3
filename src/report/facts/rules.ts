import type { RuleReport } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'

type Result = RuleReport['result']

export function countResults<Wanted extends Result>(
  rules: readonly Pick<RuleReport, 'result'>[],
  results: readonly Wanted[],
): { readonly result: Wanted; readonly count: number }[] {
  return results.map((result) => ({ result, count: rules.filter((rule) => rule.result === result).length }))
}

/** Such as `1 broken, 2 kept`, without results that no rule has. */
export function formatResults(rules: readonly Pick<RuleReport, 'result'>[], results: readonly Result[]): string {
  const counts = countResults(rules, results).filter(({ count }) => count > 0)
  return counts.map(({ result, count }) => `${formatCount(count)} ${result}`).join(', ')
}

/** The broken rules; those that kept the run from publishing come first. */
export function listBrokenRules(rules: readonly RuleReport[]): RuleReport[] {
  const broken = rules.filter(({ result }) => result === 'broken')
  return ['error', 'warn'].flatMap((wanted) => broken.filter(({ severity }) => severity === wanted))
}
