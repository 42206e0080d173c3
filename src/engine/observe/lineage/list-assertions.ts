import type { Completeness, RuleReport } from '../../../manifest/manifest.ts'
import type { LimitsPlan } from '../../../plan/limits-plan.ts'
import type { RecordsPlan } from '../../../plan/records/records-plan.ts'
import { listOutcomes } from '../../../report/facts/ledger.ts'
import type { ReportManifest } from '../../../report/report-manifest.ts'
import { countOf, formatCount } from '../../../text/format-count.ts'
import { formatPath } from './column-lineage.ts'

interface Assertion {
  readonly assertion: string
  readonly name: string
  readonly success: boolean
  readonly severity: 'error' | 'warn'
  readonly expected: string
  readonly actual: string
  readonly column?: string
  readonly params?: Readonly<Record<string, string>>
}

/** What a run proved or refuted about its input: completeness, ledger, limit of rejects, and the rules of the config. */
export function listAssertions(
  report: ReportManifest,
  completeness: Completeness,
  { limits, records }: { readonly limits: LimitsPlan; readonly records: RecordsPlan },
): Assertion[] {
  const rules = (report.rules ?? []).filter(({ result }) => result !== 'unjudged')
  return [
    judgeCompleteness(completeness, limits),
    judgeLedger(report),
    judgeRejects(report, limits),
    ...rules.map((rule) => toAssertion(rule, records)),
  ]
}

/** A stream that can't be proven is published all the same. */
function judgeCompleteness({ status, reasons }: Completeness, { completeness }: LimitsPlan): Assertion {
  return {
    assertion: 'complete',
    name: 'completeness',
    success: status === 'proven',
    severity: status === 'incomplete' && completeness === 'require' ? 'error' : 'warn',
    expected: 'proven',
    actual: [status, ...reasons.slice(0, 3)].join('; '),
  }
}

function judgeLedger({ ledger }: ReportManifest): Assertion {
  const outcomes = listOutcomes(ledger)
  const sum = outcomes.reduce((total, { count }) => total + count, 0)
  return {
    assertion: 'balanced',
    name: 'ledger',
    success: sum === ledger.lines,
    severity: 'error',
    expected: countOf(ledger.lines, 'line'),
    actual: `${formatCount(sum)}: ${outcomes.map(({ text }) => text).join(', ')}`,
  }
}

function judgeRejects({ ledger, failure }: ReportManifest, { rejects }: LimitsPlan): Assertion {
  return {
    assertion: 'rejects',
    name: 'rejects.limit',
    success: failure?.code !== 'TOO_MANY_REJECTS',
    severity: 'error',
    expected: `at most ${rejects.kind === 'count' ? formatCount(rejects.count) : `${rejects.percent}%`}`,
    actual: `${formatCount(ledger.rejected)} of ${countOf(ledger.lines - ledger.blank, 'line')}`,
  }
}

/** The names that other producers use, where there are any. */
const assertions: Readonly<Partial<Record<RuleReport['rule'], string>>> = { filled: 'not_null', rows: 'row_count' }

function toAssertion({ table, column, rule, severity, result, expected, found }: RuleReport, records: RecordsPlan) {
  const plan = records.tables.find(({ name }) => name === table)
  const { source } = plan?.columns.find(({ name }) => name === column) ?? {}
  const field = source?.kind === 'path' ? formatPath([...(plan?.each ?? []), ...source.steps]) : column
  return {
    assertion: assertions[rule] ?? rule,
    name: [table, column, rule].filter(Boolean).join('.'),
    success: result === 'kept',
    severity,
    expected,
    actual: found,
    ...(field !== undefined && { column: field }),
    params: { table, ...(column !== undefined && { column }) },
  }
}
