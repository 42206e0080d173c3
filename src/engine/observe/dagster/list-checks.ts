import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { listOutcomes } from '../../../report/facts/ledger.ts'
import type { ReportManifest } from '../../../report/report-manifest.ts'
import { countOf, formatCount } from '../../../text/format-count.ts'

/** A check of an asset; no text has a value of a record. */
export interface Check {
  /** `completeness`, `ledger`, or a rule of the config, such as `products_public_price_range`. */
  readonly name: string
  readonly passed: boolean
  readonly severity: 'ERROR' | 'WARN'
  readonly expected: string
  readonly got: string
}

/** What a run has judged. Of several rules with one name the first broken one counts. */
export function listChecks(report: ReportManifest, { limits }: PipelinePlan): Check[] {
  const checks = [judgeCompleteness(report, limits), judgeLedger(report), ...listRules(report)]
  const names = [...new Set(checks.map(({ name }) => name))]
  return names.map((name) => {
    const [first, ...others] = checks.filter((check) => check.name === name) as [Check, ...Check[]]
    return [first, ...others].find(({ passed }) => !passed) ?? first
  })
}

/** A stream that can't be proven is published all the same. */
function judgeCompleteness({ completeness }: ReportManifest, limits: PipelinePlan['limits']): Check {
  const { status, reasons } = completeness
  const severity = status === 'incomplete' && limits.completeness === 'require' ? 'ERROR' : 'WARN'
  const got = [status, ...reasons.slice(0, 3)].join('; ')
  return { name: 'completeness', passed: status === 'proven', severity, expected: 'proven', got }
}

function judgeLedger({ ledger }: ReportManifest): Check {
  const outcomes = listOutcomes(ledger)
  const sum = outcomes.reduce((total, { count }) => total + count, 0)
  const got = `${formatCount(sum)}: ${outcomes.map(({ text }) => text).join(', ')}`
  return {
    name: 'ledger',
    passed: sum === ledger.lines,
    severity: 'ERROR',
    expected: countOf(ledger.lines, 'line'),
    got,
  }
}

/** A rule on the number of rows, in a run that read a part of them, passes. */
function listRules({ rules = [] }: ReportManifest): Check[] {
  return rules.map(({ table, column, rule, severity, result, expected, found }) => ({
    // As Dagster allows them.
    name: [table, column, rule].filter(Boolean).join('_').replaceAll(/\W/g, '_'),
    passed: result !== 'broken',
    severity: severity === 'error' ? 'ERROR' : 'WARN',
    expected,
    got: result === 'unjudged' ? 'not judged, as a part of the rows was read' : found,
  }))
}
