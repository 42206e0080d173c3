import type { PastRun, RuleReport } from '../../manifest/manifest.ts'
import { comparedRuns, isLevel } from '../../manifest/run-history.ts'
import { countAllowed } from '../../plan/count-limit.ts'
import type { VolumePlan } from '../../plan/limits-plan.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

export interface Volume {
  /** The records that the outputs hold after this run; null if that is unknown. */
  readonly records: number | null
  readonly kind: NonNullable<PastRun['kind']>
  /** The table of the records. */
  readonly table: string
}

/** Compares the number of records with the median of the last published runs. */
export function judgeVolume(
  { percent, severity }: VolumePlan,
  { records, kind, table }: Volume,
  past: readonly PastRun[],
): RuleReport {
  const common = { table, rule: 'volume', severity, count: 0 } as const
  const { levels, isAccepted } = listLevels(past, severity)
  const unjudged = (found: string): RuleReport => {
    const expected = `±${percent}% of the median of the last ${comparedRuns} published runs`
    return { ...common, result: 'unjudged', expected, found }
  }
  if (kind === 'sample' || kind === 'backfill') return unjudged(`a ${kind}`)
  if (records === null) return unjudged('a number of records that only the next full run counts')
  if (levels.length < leastRuns && !isAccepted)
    return unjudged(`${countOf(levels.length, 'published run')} before it, of ${leastRuns} that are needed`)
  const twice = twiceTheMedian(levels)
  // Whole numbers throughout: a median of two runs may end in a half.
  const allowed = countAllowed({ kind: 'share', percent }, twice)
  const lowest = Math.max(0, Math.ceil((twice - allowed) / 2))
  const highest = Math.floor((twice + allowed) / 2)
  const median = `${formatCount(Math.floor(twice / 2))}${twice % 2 === 0 ? '' : '.5'}`
  const of =
    levels.length === 1 ? 'in the last published run' : `the median of the last ${levels.length} published runs`
  return {
    ...common,
    result: Math.abs(2 * records - twice) <= allowed ? 'kept' : 'broken',
    expected: `${formatCount(lowest)} to ${formatCount(highest)} records (±${percent}% of ${median}, ${of})`,
    found: countOf(records, 'record'),
    records: { found: records, lowest, highest },
  }
}

/** With fewer runs there is no verdict. */
const leastRuns = 3

interface Levels {
  readonly levels: readonly number[]
  /** True if they begin with a run whose number somebody has accepted. */
  readonly isAccepted: boolean
}

/**
 * The numbers of records to compare with. With `severity: error` a run that broke the rule is published only if somebody
 * has accepted its number, and a backfill was asked for: later runs are compared with those since then.
 */
function listLevels(past: readonly PastRun[], severity: VolumePlan['severity']): Levels {
  const known = past.filter(isLevel)
  const start = known.findLastIndex(
    ({ kind, rules }) =>
      kind === 'backfill' || (severity === 'error' && rules?.broken.some(({ rule }) => rule === 'volume') === true),
  )
  const levels = known.slice(Math.max(0, start)).map(({ records }) => records)
  return { levels: levels.slice(-comparedRuns), isAccepted: start >= 0 }
}

function twiceTheMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)
}
