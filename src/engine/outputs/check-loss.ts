import { describeExcess } from '../../plan/count-limit.ts'
import type { PipelinePlan, SourceIdsPlan, SourcePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { listShortFix } from '../../loads/changes/check-removals.ts'
import type { PublishedRows } from '../../loads/state/read-manifest.ts'
import type { RunEnd } from './outputs.ts'
import type { FilteredBy, RunCounters } from '../reading/run-counters.ts'

/**
 * Throws REMOVED_TOO_MANY where files that hold what a run reads would hold much less than they do now: fewer records or
 * rows of a table without `each` than `maxRemoved` allows, or no row of a table with `each` that had many.
 */
export function checkLoss(
  { records, maxRemoved, manifest }: Pick<PipelinePlan, 'records' | 'maxRemoved' | 'manifest'>,
  published: PublishedRows | null,
  { counters, limit }: Pick<RunEnd, 'counters' | 'limit'>,
): void {
  if (published === null) return
  const found = [
    { what: 'records', before: published.records ?? 0, now: counters.ledger.accepted },
    ...records.tables.flatMap(({ name, each }, at) => {
      const before = published.tables.get(name) ?? 0
      const now = counters.rows[at] ?? 0
      const isCompared = each.length === 0 || (now === 0 && before >= leastEmptied)
      return isCompared ? [{ what: `rows of table "${name}"`, before, now }] : []
    }),
  ]
  for (const { what, before, now } of found) {
    const excess = describeExcess(maxRemoved, before - now, before, `published ${what} to be removed (maxRemoved)`)
    if (excess === null) continue
    const message = `${manifest.path}: ${excess}: ${format(now)} would be left`
    const fix = limit === null ? listShortFix(maxRemoved, before, before - now) : { fix: sampleFix }
    throw new CatalogueError('REMOVED_TOO_MANY', message, fix)
  }
}

/** A table with `each` shrinks with its records; one that had fewer rows than this may lose them all in a night. */
const leastEmptied = 20

const sampleFix =
  'Put a sample elsewhere with `--out DIR`. To publish it over the whole, allow that once with `--set maxRemoved=100%`.'

/**
 * Adds to an error of this work that too many records are gone: the condition that left out most of them, and the advice
 * for a source that is a list of codes.
 */
export async function explainingLoss<Result>(
  counters: Pick<RunCounters, 'ledger' | 'filteredBy'>,
  { sourceIds }: Pick<SourcePlan, 'sourceIds'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isLoss = error instanceof CatalogueError && error.code === 'REMOVED_TOO_MANY'
    if (!isLoss) throw error
    const explained = error.withMore(describeFiltering(counters))
    if (sourceIds === null || error.fix === sampleFix) throw explained
    throw new CatalogueError(error.code, explained.message, { cause: error.cause, fix: listFix(sourceIds) })
  }
}

function listFix({ summary }: SourceIdsPlan): string {
  return (
    `Check that ${summary.file} still lists every code. Codes that leave the list take their records with them: where that ` +
    'is meant, allow it in the config, `maxRemoved: 100%`; for one run, `--set maxRemoved=100%`.'
  )
}

/** The end of a message about missing records: the condition that left out most of them. */
function describeFiltering({ ledger, filteredBy }: Pick<RunCounters, 'ledger' | 'filteredBy'>): string {
  const onRecords = filteredBy.filter(({ table, filtered }) => table === null && filtered > 0)
  const [most] = onRecords.toSorted((a, b) => b.filtered - a.filtered)
  if (most === undefined) {
    const lines = ledger.lines - ledger.blank
    return lines === 0
      ? '; no line was read'
      : `; ${format(lines)} ${lines === 1 ? 'line was' : 'lines were'} read, none filtered`
  }
  const read = `${format(ledger.filtered)} of ${format(ledger.lines - ledger.blank)} lines were filtered`
  return `; ${read}, most of them (${format(most.filtered)}) by ${formatCondition(most)}`
}

/** `where status: [active]` */
function formatCondition({ by, path, condition }: FilteredBy): string {
  return `${by} ${path}: ${condition}`
}

function format(count: number): string {
  return count.toLocaleString('en')
}
