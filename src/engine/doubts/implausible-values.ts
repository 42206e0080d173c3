import { resolveContract } from '../../contracts/extended/extend-contract.ts'
import type { Field } from '../../contracts/fields.ts'
import type { LimitsPlan } from '../../plan/limits-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { follow } from '../../plan/records/describe-tables.ts'
import { toRoot } from '../../plan/records/plan-tables.ts'
import { type ColumnCounts, joinCounts, noCounts } from '../../kernel/profile/column-counts.ts'
import { typeOf, type ColumnType } from '../../types/column-types.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'
import type { RunCounters } from '../reading/run-counters.ts'
import type { Doubt } from '../../manifest/manifest.ts'
import { countOf } from '../../text/format-count.ts'

/**
 * Doubts about columns with values outside the plausible bounds of their field, unless a rule of the config checks
 * their range.
 */
export function listImplausible(
  records: RecordsPlan,
  { rules }: LimitsPlan,
  { rowCounts }: Pick<RunCounters, 'rowCounts'>,
): Doubt[] {
  const root = toRoot(resolveContract(records))
  return records.tables.flatMap((table, at) => {
    const element = follow(root, table.each).field
    return table.columns.flatMap((column, index) => {
      const isJudged = rules.some((rule) => rule.table === at && rule.column === index && rule.test.kind === 'range')
      const { from, until } = isJudged ? {} : readBounds(column, element)
      if (from === undefined && until === undefined) return []
      const counts = joinCounts(
        column,
        rowCounts.map((part) => part[at]?.[index] ?? noCounts),
      )
      const name = `${table.name}.${column.name}`
      return [
        ...(from === undefined ? [] : describeBeyond(column, name, counts, { bound: from, isLeast: true })),
        ...(until === undefined ? [] : describeBeyond(column, name, counts, { bound: until, isLeast: false })),
      ]
    })
  })
}

function readBounds({ source }: ColumnPlan, element: Field | undefined) {
  const field = source.kind === 'path' ? follow(element, source.steps).field : undefined
  return field?.notes.plausible ?? {}
}

interface Beyond {
  readonly bound: number
  readonly isLeast: boolean
}

/** Columns with too many distinct values have no counts of values outside. */
function describeBeyond({ type }: ColumnPlan, name: string, counts: ColumnCounts, { bound, isLeast }: Beyond): Doubt[] {
  const extreme = isLeast ? counts.min : counts.max
  const canonical = toCanonical(bound, type)
  if (extreme === null || canonical === null) return []
  const compare = typeOf(type).compare
  const isBeyond = (value: string): boolean => (isLeast ? compare(value, canonical) < 0 : compare(value, canonical) > 0)
  if (!isBeyond(extreme)) return []
  const known = [...(counts.values ?? [])].reduce((sum, [value, times]) => sum + (isBeyond(value) ? times : 0), 0)
  const many = known === 0 ? 'values' : countOf(known, 'value')
  const [, column = ''] = name.split('.')
  const rule = `{ column: ${column}, ${isLeast ? 'from' : 'until'}: ${bound} }`
  const text = `${name}: ${many} ${isLeast ? 'below' : 'above'} ${bound}; a rule of expect, \`${rule}\`, counts them and names their records`
  const values = [String(typeOf(type).showCanonical(extreme))]
  return [{ kind: 'values', severity: 'look', count: Math.max(known, 1), text, values }]
}

/** Converts a whole number to the cell form of a column; null for columns that hold no numbers. */
function toCanonical(bound: number, type: ColumnType): string | null {
  if (type.kind === 'decimal') return String(BigInt(bound) * 10n ** BigInt(type.scale))
  return type.kind === 'integer' || type.kind === 'float' ? String(bound) : null
}
