import { typeOf, formatColumnType } from '../../types/column-types.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { type ColumnCounts, joinCounts, noCounts, type RowCounts } from './column-counts.ts'
import { listCoverageTables } from './coverage-tables.ts'
import { describeSpread } from './describe-spread.ts'
import { listFallbackTables } from './fallback-tables.ts'
import { listLocalized } from './list-localized.ts'
import type { ColumnProfile, RunProfile, TableProfile } from './run-profile.ts'

export interface ProfileFacts {
  readonly pipeline: string
  readonly runId: string
  readonly records: Pick<RecordPlan, 'contract' | 'extra' | 'tables' | 'locales'>
  /** Whether records may be grouped by values of theirs, as the coverage tables were planned. */
  readonly examples: boolean
  readonly rows: readonly number[]
  /** The counts of the rows in parts that share none; the fallback tables come behind `records.tables`, then those of coverage. */
  readonly parts: readonly RowCounts[]
}

/** The profile of a run; it does not depend on the number and order of the parts. */
export function toRunProfile({ pipeline, runId, records, examples, rows, parts }: ProfileFacts): RunProfile {
  const { tables } = records
  const profiles = tables.map(({ name, columns }, table): TableProfile => {
    return {
      name,
      rows: rows[table] ?? 0,
      columns: columns.map((column, index) => {
        const counts = parts.map((part) => part[table]?.[index] ?? noCounts)
        return toColumnProfile(column, joinCounts(column, counts))
      }),
    }
  })
  const countsOf = ({ columns }: TablePlan, table: number): ColumnCounts[] =>
    columns.map((column, index) =>
      joinCounts(
        column,
        parts.map((part) => part[table]?.[index] ?? noCounts),
      ),
    )
  const chains = listFallbackTables(tables)
  const fallbacks = new Map(
    chains.map(({ table, plan, toFallbacks }, at) => {
      return [table, toFallbacks(profiles[table]?.columns ?? [], countsOf(plan, tables.length + at))]
    }),
  )
  const { plans, toProfile } = listCoverageTables(records, examples)
  const counted = plans.map((plan, at) => countsOf(plan, tables.length + chains.length + at))
  return {
    version: 1,
    pipeline,
    runId,
    tables: profiles.map((profile, at) => withoutListed(profile, tables[at] as TablePlan)),
    localized: listLocalized(tables, profiles, fallbacks),
    ...toProfile(counted),
  }
}

/** Columns of a list say nothing of the records, and are filled after them. */
function withoutListed(profile: TableProfile, { columns }: TablePlan): TableProfile {
  const kept = profile.columns.filter((_, at) => columns[at]?.source.kind !== 'listed')
  return { ...profile, columns: kept }
}

function toColumnProfile(column: Column, counts: ColumnCounts): ColumnProfile {
  const { name, type, unit } = column
  const { filled } = counts
  const common = { name, type: formatColumnType(column), ...(unit && { unit }), filled }
  if (typeOf(type).isOpaque) return common
  const toValue = typeOf(type).showCanonical
  return {
    ...common,
    min: counts.min === null ? null : toValue(counts.min),
    max: counts.max === null ? null : toValue(counts.max),
    ...(type.kind === 'text' && counts.min !== null && { longest: counts.longest }),
    ...(counts.values !== null && toFrequent(column, counts.values)),
    ...describeSpread(type, counts),
  }
}

/** The most frequent values; among equally frequent ones, the least first. */
function toFrequent(
  { type }: Column,
  values: ReadonlyMap<string, number>,
): Pick<ColumnProfile, 'distinct' | 'frequent'> {
  const toValue = typeOf(type).showCanonical
  const { compare } = typeOf(type)
  type Entry = readonly [value: string, times: number]
  const order = (one: Entry, other: Entry): number => other[1] - one[1] || compare(one[0], other[0])
  const best: Entry[] = []
  for (const entry of values) {
    const last = best[mostFrequent - 1]
    if (last !== undefined && order(last, entry) < 0) continue
    const at = best.findIndex((other) => order(entry, other) < 0)
    best.splice(at < 0 ? best.length : at, 0, entry)
    if (best.length > mostFrequent) best.pop()
  }
  const frequent = best.map(([value, count]) => ({ value: toValue(value), count }))
  return { distinct: values.size, frequent }
}

const mostFrequent = 10
