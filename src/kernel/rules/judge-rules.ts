import type { LimitsPlan } from '../../plan/limits-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { RuleTest } from '../../plan/conditions/rule-plan.ts'
import { countNeeded } from '../../plan/count-limit.ts'
import { type ColumnCounts, joinCounts, noCounts, type RowCounts } from '../profile/column-counts.ts'
import type { ProfileValue } from '../profile/run-profile.ts'
import { typeOf, type ColumnType } from '../../types/column-types.ts'
import { type BrokenRow, BrokenRows } from './broken-rows.ts'
import { mostIds } from './describe-rule.ts'
import type { RuleReport } from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

export interface RuleFacts {
  /** Rows by table. */
  readonly rows: readonly number[]
  /** The counts of the rows, in parts that share none. */
  readonly rowCounts: readonly RowCounts[]
  /** By rule on unique values, in their order. */
  readonly repeated?: readonly RepeatedValues[] | undefined
  /** The first rows that break each rule. */
  readonly broken?: Pick<BrokenRows, 'of'> | undefined
  /** True if the run reads a part on purpose: rules on the number of rows are not judged. */
  readonly isPart?: boolean | undefined
}

/** Repeated values of a `unique` column. */
export interface RepeatedValues {
  readonly count: number
  /** The canonical text of the first. */
  readonly first: string | null
}

/** Each rule with its result; the number and the order of the parts don't show. */
export function judgeRules(
  records: RecordsPlan,
  { rules }: LimitsPlan,
  { rows, rowCounts, repeated = [], broken: listed = new BrokenRows(), isPart = false }: RuleFacts,
): RuleReport[] {
  const uniques = rules.filter(({ test }) => test.kind === 'unique')
  return rules.map((rule, at) => {
    const { table, column, test, expected, severity, isPartOfAll = false } = rule
    const { name = '', columns = [] } = records.tables[table] ?? {}
    const { name: columnName, type = text } = (column === null ? undefined : columns[column]) ?? {}
    const broken = joinCounts(
      { type },
      rowCounts.map((part) => part.at(-1)?.[at] ?? noCounts),
    )
    const facts = { rows: rows[table] ?? 0, type, broken, repeated: repeated[uniques.indexOf(rule)] ?? null }
    const common = { table: name, ...(columnName !== undefined && { column: columnName }), rule: test.kind, severity }
    const judged = (isPart || isPartOfAll) && countsRows(test) ? unjudged : judge(test, facts)
    const named = judged.result === 'broken' ? nameRecords(listed.of(at)) : {}
    return { ...common, expected, ...judged, ...named }
  })
}

function nameRecords(rows: readonly BrokenRow[]): Pick<RuleReport, 'ids' | 'listed'> {
  const ids = [...new Set(rows.flatMap(({ id }) => id ?? []))].slice(0, mostIds)
  return { ...(ids.length > 0 && { ids }), ...(rows.length > 0 && { listed: rows.length }) }
}

const text: ColumnType = { kind: 'text' }

type Judgement = Pick<RuleReport, 'result' | 'count' | 'found' | 'examples'>

const unjudged: Judgement = { result: 'unjudged', count: 0, found: 'a run that reads a part of the records' }

/** True for a rule that cannot be judged by a part of the rows. */
function countsRows(test: RuleTest): boolean {
  return test.kind === 'rows' || (test.kind === 'filled' && test.least.kind === 'count')
}

interface ColumnFacts {
  readonly rows: number
  readonly type: ColumnType
  readonly broken: ColumnCounts
  readonly repeated: RepeatedValues | null
}

function judge(test: RuleTest, { rows, type, broken, repeated }: ColumnFacts): Judgement {
  switch (test.kind) {
    case 'rows': {
      const isKept = rows >= (test.from ?? 0) && rows <= (test.until ?? Infinity)
      return { result: isKept ? 'kept' : 'broken', count: 0, found: countOf(rows, 'row') }
    }
    case 'filled': {
      const filled = rows - broken.filled
      const isKept = filled >= countNeeded(test.least, rows)
      const of = `${formatCount(filled)} of ${countOf(rows, 'row')}`
      const found = rows === 0 ? of : `${toShare(filled, rows)}% (${of})`
      return { result: isKept ? 'kept' : 'broken', count: broken.filled, found }
    }
    case 'unique': {
      const { count = 0, first = null } = repeated ?? {}
      const examples = first === null ? [] : [typeOf(type).showCanonical(first)]
      return judgeValues(count, 'each once', `${countOf(count, 'value')} that came before`, examples)
    }
    case 'not':
      return judgeValues(broken.filled, 'none', formatCount(broken.filled), listExamples(type, broken))
    case 'range':
    case 'in':
    case 'matches':
      return judgeValues(broken.filled, 'no other', countOf(broken.filled, 'other value'), listExamples(type, broken))
  }
}

function judgeValues(count: number, none: string, some: string, examples: readonly ProfileValue[]): Judgement {
  return count === 0 ? { result: 'kept', count, found: none } : { result: 'broken', count, found: some, examples }
}

/** The most frequent values; the least and the greatest if there are too many to count. */
function listExamples(type: ColumnType, { values, min, max }: ColumnCounts): ProfileValue[] {
  const compare = typeOf(type).compare
  const frequent = [...(values ?? [])]
    .toSorted(([one, times], [other, otherTimes]) => otherTimes - times || compare(one, other))
    .slice(0, mostExamples)
    .map(([value]) => value)
  const bounds = [...new Set([min, max])].filter((value) => value !== null)
  return (values === null ? bounds : frequent).map(typeOf(type).showCanonical)
}

const mostExamples = 3

/** In percent, rounded down to two decimals, so that 100 is all. */
function toShare(count: number, whole: number): number {
  return Math.floor((count * 10_000) / whole) / 100
}
