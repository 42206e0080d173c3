import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import { countFilled } from '../../kernel/profile/column-counts.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import { listConditions } from '../../records/conditions/match-conditions.ts'
import type { Step, TablePlan } from '../../records/flatten/table-plan.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { Doubt, FilteredBy } from '../../manifest/manifest.ts'
import { countOf } from '../../text/format-count.ts'

export interface Unmet {
  readonly doubt: Doubt
  /** Path to the list of the tested elements; empty for conditions on records. */
  readonly each: readonly Step[]
  readonly conditions: readonly Condition[]
}

type Counters = Pick<RunCounters, 'ledger' | 'filteredBy' | 'rows' | 'rowCounts'>

/**
 * Doubts about conditions that excluded every record, every row of a table or every value of a column. Looks for values
 * that were probably meant, if the sources are files that can be read again.
 */
export async function doubtConditions(
  source: SourcePlan,
  records: RecordsPlan,
  isProfiled: boolean,
  counters: Counters,
  sources: readonly Source[],
  context: RequiredContext<'signal'>,
): Promise<Doubt[]> {
  const unmet = [
    ...listUnmet(records, counters),
    ...(!isProfiled ? [] : records.tables.flatMap((table, at) => listEmptyColumns(table, at, counters))),
  ]
  const files = source.kind === 'files' ? sources.filter(({ canBeReadAgain }) => canBeReadAgain) : []
  if (unmet.length === 0 || files.length === 0) return unmet.map(({ doubt }) => doubt)
  // Loaded lazily, as nearly all runs don't need it.
  const { withNearValues } = await import('./near-values.ts')
  return withNearValues(unmet, files, records, context)
}

/** An exclusion counts for the first condition that fails, so the last one with exclusions left nothing. */
function listUnmet(records: RecordsPlan, { ledger, filteredBy, rows }: Omit<Counters, 'rowCounts'>): Unmet[] {
  const conditions = listConditions(records)
  const toUnmet = (table: TablePlan | null): Unmet[] => {
    const own = filteredBy.filter((by) => by.table === (table?.name ?? null) && by.filtered > 0)
    const by = own.at(-1)
    const condition = conditions.find((each) => each.table === by?.table && isSame(each.condition, by))?.condition
    if (by === undefined || condition === undefined) return []
    const severity = table === null ? 'wrong' : 'look'
    const doubt = { kind: 'condition', severity, count: by.filtered, text: describeUnmet(by, own.length > 1) } as const
    return [{ doubt, each: table?.each ?? [], conditions: [condition] }]
  }
  if (ledger.accepted === 0) return toUnmet(null)
  return records.tables.flatMap((table, at) => (rows[at] === 0 ? toUnmet(table) : []))
}

function isSame({ from, shown }: Condition, { path, condition }: FilteredBy): boolean {
  return from === path && shown === condition
}

/** `of 3 records none meets where status: Active` */
function describeUnmet({ table, by, path, condition, filtered }: FilteredBy, hasOthers: boolean): string {
  const [one, many] = table === null ? ['record', 'records'] : [`element of ${table}`, `elements of ${table}`]
  const others = hasOthers ? ` that meet${filtered === 1 ? 's' : ''} the conditions before it` : ''
  return `of ${countOf(filtered, one, many)}${others} none meets ${by} ${path}: ${condition}`
}

function listEmptyColumns({ name, each, columns }: TablePlan, table: number, { rows, rowCounts }: Counters): Unmet[] {
  const count = rows[table] ?? 0
  if (count === 0) return []
  return columns.flatMap((column, index): Unmet[] => {
    const steps = column.source.kind === 'path' ? column.source.steps : []
    const at = steps.findIndex((step) => listElementConditions(step).length > 0)
    const conditions = at < 0 ? [] : listElementConditions(steps[at])
    if (conditions.length === 0 || countFilled(rowCounts, table, index) > 0) return []
    const shown = conditions.map(({ from, shown: value }) => `${from}: ${value}`).join(', ')
    const text = `column ${column.name} of ${name} has no value in ${countOf(count, 'row')}; its where is ${shown}`
    const doubt = { kind: 'condition', severity: 'note', count, text } as const
    return [{ doubt, each: [...each, ...steps.slice(0, at), { kind: 'all' }], conditions }]
  })
}

function listElementConditions(step: Step | undefined): readonly Condition[] {
  return step !== undefined && 'where' in step ? (step.where ?? []) : []
}
