import { closeOutcome, compileOutcome } from '../../records/block-outcome.ts'
import { listConditions } from '../../records/conditions/match-conditions.ts'
import { compilePath } from '../../records/flatten/read-path.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import { parseLine } from '../../records/parse-line.ts'
import { compileLineProcessing, type RecordPlan } from '../../records/process-block.ts'
import { type Issue, toBeginning, toWholeText } from '../../records/reject.ts'
import { toPreviewTable } from '../../engine/run/preview-plan.ts'
import type { FoundLine } from './find-lines.ts'
import type { TracedLine, TracedTable } from './trace-report.ts'

/** Explains a line. `repetition` is given for a line with a repeated id. */
export type ExplainLine = (found: FoundLine, repetition?: 'drop' | Issue) => TracedLine

/** Explains single lines by the reference path. A duplicate does not name its other line yet. */
export function compileExplanation(records: RecordPlan): ExplainLine {
  const { tombstones: _, ...plan } = records
  const processLine = compileLineProcessing(plan)
  const openOutcome = compileOutcome(plan)
  const conditions = listConditions(plan)
  return ({ line, place }, repetition) => {
    const open = openOutcome()
    processLine(line, 0, open, repetition)
    if (open.failure !== undefined) throw open.failure.error.at(`${place.source}, line ${place.line}`)
    const { counts, rejects, rows, filteredElements, filteredByCondition } = closeOutcome(open)
    const parsed = parseLine(line, { maxLineBytes: plan.maxLineBytes, exactNumbers: true })
    const index = 'index' in parsed ? parsed.index : null
    const raw = rejects[0]?.raw ?? (line.lineBytes > line.bytes.length ? toBeginning(line) : toWholeText(line))
    const toOutcome = (): TracedLine['outcome'] => {
      if (rejects[0] !== undefined) return { kind: 'rejected', issues: rejects[0].issues }
      if (counts.duplicate > 0) return { kind: 'duplicate', of: null }
      if (counts.filtered === 0) return { kind: 'accepted' }
      const failed = conditions[filteredByCondition.findIndex((count) => count > 0)]?.condition
      return {
        kind: 'filtered',
        by: failed?.by ?? 'where',
        path: failed?.from ?? '',
        condition: failed?.shown ?? '',
        got: failed === undefined ? null : readDelivered(failed, parsed.kind === 'record' ? parsed.delivered : null),
      }
    }
    const tables = plan.tables.flatMap((table, at): TracedTable[] => {
      const own = rows[at] ?? []
      const filtered = filteredElements[at] ?? 0
      return own.length + filtered === 0 ? [] : [{ ...toPreviewTable(table, own), filtered }]
    })
    return { ...place, index, raw, outcome: toOutcome(), tables }
  }
}

function readDelivered({ steps, otherSteps = [], test }: Condition, record: unknown): unknown {
  if (test.kind === 'any') {
    return Object.fromEntries(test.of.flat().map((each) => [each.from, readDelivered(each, record)]))
  }
  const values = [steps, ...otherSteps].map((path) => compilePath(path)(record) ?? null)
  return values.length === 1 ? values[0] : values
}
