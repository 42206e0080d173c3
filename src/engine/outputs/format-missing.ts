import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { SourceIdsPlan } from '../../plan/source/source-ids-plan.ts'
import { codeFates } from '../../records/conditions/code-fates.ts'
import { nameCondition } from '../../records/conditions/match-conditions.ts'
import { toComparableCode } from '../../codes/code-text.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../formats/csv.ts'
import type { RunEnd } from './outputs.ts'

/**
 * Formats a CSV of list entries without a row: line, text, requested code and reason. Null for a pipeline without a
 * list.
 */
export function formatMissing(source: SourcePlan, end: Pick<RunEnd, 'read' | 'counters' | 'limit'>) {
  const list = source.sourceIds
  if (list === null) return null
  const missing = findMissing(source.kind, list, end)
  const rows = createCsvEncoder(columns, defaultCsvDialect)(missing.map(toRow))
  const pieces = [formatCsvHeader(columns, defaultCsvDialect), rows]
  return { rows: missing.length, pieces, counts: toCounts(missing, list, end.limit) }
}

interface MissingEntry {
  readonly line: number
  readonly written: string
  readonly code: string | null
  readonly kind: 'notFound' | 'filtered' | 'duplicate' | 'rejected' | 'bad'
  readonly reason: string
}

type CodeFate = Pick<MissingEntry, 'kind' | 'reason'>

/** Lists missing entries in the order of the list. Samples have none, as their lack proves nothing. */
function findMissing(
  kind: SourcePlan['kind'],
  list: SourceIdsPlan,
  end: Pick<RunEnd, 'read' | 'counters' | 'limit'>,
): MissingEntry[] {
  const { identifiers, bad = [] } = list
  const judge = end.limit === null ? compileJudgement(kind, list, end) : () => null
  const missing = identifiers.flatMap(({ code, line, written }) => {
    const fate = judge(code)
    return fate === null ? [] : [{ line, written, code: String(code), ...fate }]
  })
  const wrong = bad.map(({ line, written, expected }) => {
    return { line, written, code: null, kind: 'bad', reason: `bad identifier: expected ${expected}` } as const
  })
  return [...missing, ...wrong].toSorted((a, b) => a.line - b.line)
}

/**
 * Judges codes; null if the record is published. The service's answers have already been searched for missing codes.
 */
function compileJudgement(
  kind: SourcePlan['kind'],
  { summary }: SourceIdsPlan,
  { read, counters }: Pick<RunEnd, 'read' | 'counters'>,
): (code: string | number) => CodeFate | null {
  const lists = read.sources.flatMap(({ notes }) => notes?.missing ?? []).filter(({ key }) => key === summary.field)
  const missing = new Set(lists.flatMap((each) => each.missing))
  return (code) => {
    const fate = counters.foundCodes.fateOf(toComparableCode(code))
    if (kind === 'service' ? missing.has(String(code)) : fate === undefined)
      return { kind: 'notFound', reason: 'not found' }
    switch (fate) {
      case undefined:
      case codeFates.accepted:
        return null
      case codeFates.duplicate:
        return { kind: 'duplicate', reason: 'left out: another line has the id of its record' }
      case codeFates.rejected:
        return { kind: 'rejected', reason: 'rejected' }
      default:
        return { kind: 'filtered', reason: `filtered by ${nameCondition(counters.conditionAt(fate)?.condition)}` }
    }
  }
}

function toCounts(missing: readonly MissingEntry[], { identifiers }: SourceIdsPlan, limit: number | null) {
  const count = (wanted: MissingEntry['kind']) => missing.filter(({ kind }) => kind === wanted).length
  const [filtered, duplicate, rejected, bad] = [count('filtered'), count('duplicate'), count('rejected'), count('bad')]
  return {
    notFound: count('notFound'),
    bad,
    ...(limit === null && { found: identifiers.length - (missing.length - bad) }),
    ...(filtered > 0 && { filtered }),
    ...(duplicate > 0 && { duplicate }),
    ...(rejected > 0 && { rejected }),
  }
}

const columns: readonly Column[] = [
  { name: 'line', type: { kind: 'integer' }, list: false },
  { name: 'written', type: { kind: 'text' }, list: false },
  { name: 'asked', type: { kind: 'text' }, list: false },
  { name: 'reason', type: { kind: 'text' }, list: false },
]

function toRow({ line, written, code, reason }: MissingEntry): Row {
  return [line, written, code, reason]
}
