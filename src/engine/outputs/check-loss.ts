import { describeExcess } from '../../plan/count-limit.ts'
import type { LimitsPlan } from '../../plan/limits-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { listEdits } from '../../plan/selection.ts'
import { CatalogueError } from '../../errors.ts'
import { listShortFix } from '../../loads/changes/check-removals.ts'
import { formatEdits } from '../../loads/changes/edit-loss.ts'
import type { RunEnd } from './outputs.ts'
import { tellDoubt } from '../../report/doubts.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { PublishedRows } from '../../manifest/former-run.ts'
import type { EditLoss, FilteredBy } from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

/**
 * Throws REMOVED_TOO_MANY if outputs would lose more records, or more rows of a table without `each`, than `maxRemoved`
 * allows, or all of at least 20 rows of a table with `each`. After an edit of the config returns such losses instead,
 * except for samples and runs without any records.
 */
export function checkLoss(
  { tables: planned }: RecordsPlan,
  { maxRemoved, selection }: LimitsPlan,
  { manifest }: ReportPlan,
  published: PublishedRows | null,
  { counters, limit }: Pick<RunEnd, 'counters' | 'limit'>,
): EditLoss[] {
  if (published === null) return []
  const changed = limit === null ? listEdits(published.selection, selection) : []
  const { accepted } = counters.ledger
  const all = { of: 'records', before: published.records ?? 0, now: accepted, mayBeEmpty: false }
  const tables = planned.flatMap(({ name, each }, at) => {
    const rows = { of: `rows of table "${name}"`, before: published.tables.get(name) ?? 0, now: counters.rows[at] ?? 0 }
    const isSaid = rows.before === all.before && rows.now === all.now
    if (each.length === 0) return isSaid ? [] : [{ ...rows, mayBeEmpty: false }]
    const isEmptied = rows.now === 0 && rows.before >= leastEmptied
    return isEmptied ? [{ ...rows, mayBeEmpty: true }] : []
  })
  return [all, ...tables].flatMap(({ of, before, now, mayBeEmpty }) => {
    const removed = before - now
    const excess = describeExcess(maxRemoved, removed, before, `published ${of} to be removed (maxRemoved)`)
    if (excess === null) return []
    if (changed.length > 0 && (now > 0 || mayBeEmpty)) return [{ of, removed, before, changed }]
    const message = `${manifest.path}: ${excess}: ${formatCount(now)} would be left`
    const fix = changed.length > 0 ? { fix: formatEmptyFix(changed) } : listShortFix(maxRemoved, before, removed)
    throw new CatalogueError('REMOVED_TOO_MANY', message, limit === null ? fix : { fix: sampleFix })
  })
}

/** A table with `each` loses rows with its records. With fewer rows than this it may lose all in a night. */
const leastEmptied = 20

const sampleFix =
  'Put a sample elsewhere with `--out DIR`. To publish it over the whole, allow that once with `--set maxRemoved=100%`.'

function formatEmptyFix(changed: readonly string[]): string {
  return `Correct the config: ${formatEdits(changed)} since the last run, and nothing is left. If that is meant, \`--set maxRemoved=100%\` allows it for one run.`
}

/** Adds the condition that excluded most records to REMOVED_TOO_MANY. */
export async function explainingLoss<Result>(
  counters: Pick<RunCounters, 'ledger' | 'filteredBy' | 'doubts'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isLoss = error instanceof CatalogueError && error.code === 'REMOVED_TOO_MANY'
    throw isLoss ? error.withMore(describeFiltering(counters)) : error
  }
}

function describeFiltering({
  ledger,
  filteredBy,
  doubts,
}: Pick<RunCounters, 'ledger' | 'filteredBy' | 'doubts'>): string {
  const onRecords = filteredBy.filter(({ table, filtered }) => table === null && filtered > 0)
  const [most] = onRecords.toSorted((a, b) => b.filtered - a.filtered)
  if (most === undefined) {
    const lines = ledger.lines - ledger.blank
    return lines === 0 ? '; no line was read' : `; ${countOf(lines, 'line was', 'lines were')} read, none filtered`
  }
  const read = `${formatCount(ledger.filtered)} of ${formatCount(ledger.lines - ledger.blank)} lines were filtered`
  const unmet = doubts.find(({ severity }) => severity === 'wrong')
  const near = unmet === undefined ? '' : tellDoubt({ ...unmet, text: '' }, false)
  return `; ${read}, most of them (${formatCount(most.filtered)}) by ${formatCondition(most)}${near}`
}

function formatCondition({ by, path, condition }: FilteredBy): string {
  return `${by} ${path}: ${condition}`
}
