import type { PastRun, RuleReport } from '../../manifest/manifest.ts'
import type { RatioPlan } from '../../plan/limits-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { formatCount } from '../../text/format-count.ts'
import { type RowCounts, joinCounts, noCounts } from '../profile/column-counts.ts'
import { describeSpread } from '../profile/describe-spread.ts'
import type { RunProfile } from '../profile/run-profile.ts'

export interface RatioFacts {
  readonly kind: NonNullable<PastRun['kind']>
  /** The counts of the rows, in parts that share none. */
  readonly rowCounts: readonly RowCounts[]
  /** The last published run; null if there is none. */
  readonly last: Pick<PastRun, 'kind'> | null
  /** The profile of that run; null if it is not there. */
  readonly profile: Pick<RunProfile, 'tables'> | null
}

/** Compares the median of a column with that of the last run, if both have read all records. */
export function judgeRatio(
  { table: tableAt, column: columnAt, factor, expected, severity }: RatioPlan,
  { tables }: Pick<RecordsPlan, 'tables'>,
  { kind, rowCounts, last, profile }: RatioFacts,
): RuleReport {
  const { name: table = '', columns = [] } = tables[tableAt] ?? {}
  const { name, type, unit } = columns[columnAt] as (typeof columns)[number]
  const common = { table, column: name, rule: 'ratio', severity, count: 0 } as const
  const unjudged = (found: string): RuleReport => ({ ...common, result: 'unjudged', expected, found })
  if (kind !== 'full') return unjudged(`a ${kind}, which reads a part of the records`)
  if (last === null) return unjudged('no published run before it')
  if (last.kind !== 'full') return unjudged(`a ${last.kind ?? 'run of an unknown kind'} as the last run`)
  if (profile === null) return unjudged('no profile of the last run')
  const counts = joinCounts(
    { type },
    rowCounts.map((part) => part[tableAt]?.[columnAt] ?? noCounts),
  )
  const former = profile.tables.find((each) => each.name === table)?.columns.find((each) => each.name === name)
  if (former === undefined) return unjudged('no such column in the last run')
  if (former.unit !== unit) return unjudged('another unit in the last run')
  const [before, now] = [former, describeSpread(type, counts)].map(({ quantiles }) => quantiles && +quantiles.p50)
  if (now === undefined) return unjudged('no value')
  if (before === undefined || before <= 0) return unjudged('no median above zero in the last run')
  return {
    ...common,
    result: now <= before * factor && now * factor >= before ? 'kept' : 'broken',
    expected: `${expected} (${formatNumber(before)})`,
    found: `a median of ${formatNumber(now)}`,
  }
}

function formatNumber(value: number): string {
  return Number.isSafeInteger(value) ? formatCount(value) : String(value)
}
