import type { ColumnPlan, Step, TablePlan } from '../../records/flatten/table-plan.ts'
import type { LocalizedProfile } from './run-profile.ts'
import { formatFieldPath } from './format-field-path.ts'

type FilledColumns = readonly { readonly filled: number }[]

/**
 * A table that is only counted, with the columns of another one that have `fallback`. Each comes once for every
 * beginning of its list of locales. If a row has a value for the first two locales and none for the first alone, the
 * second one gave it.
 */
export interface FallbackTable {
  /** The position of the table that the columns are from. */
  readonly table: number
  readonly plan: TablePlan
  /** How many rows took each locale, in the order of the columns. */
  readonly toFallbacks: (filled: FilledColumns, counted: FilledColumns) => readonly Fallback[]
}

/** How often a column took its value from each locale, and the field it takes them from. */
export interface Fallback {
  readonly field: string
  readonly taken: LocalizedProfile['fallbacks']
}

/** The tables to count for the columns with `fallback`, without lists. */
export function listFallbackTables(tables: readonly TablePlan[]): FallbackTable[] {
  return tables.flatMap(({ name, each, where, columns }, table) => {
    const chains = columns.flatMap((column, position) => {
      const chain = toChain(column)
      return chain === null ? [] : [{ ...chain, position, column }]
    })
    if (chains.length === 0) return []
    const counted = chains.flatMap(({ column, beginnings }) => beginnings.map((steps) => withSteps(column, steps)))
    const plan = { name: `${name} fallbacks`, each, where, columns: counted, isCountedOnly: true }
    const toFallbacks: FallbackTable['toFallbacks'] = (filled, parts) => {
      let next = 0
      return chains.map(({ column, position, field, locales, beginnings }) => {
        const sums = parts.slice(next, (next += beginnings.length)).map((part) => part.filled)
        sums[locales.length - 1] ??= filled[position]?.filled ?? 0
        const taken = locales.map((locale, at) => ({
          column: column.name,
          locale,
          taken: (sums[at] ?? 0) - (sums[at - 1] ?? 0),
        }))
        return { field, taken }
      })
    }
    return [{ table, plan, toFallbacks }]
  })
}

interface Chain {
  readonly field: string
  /** The locales in the order in which they are tried, with `other` last if any locale will do. */
  readonly locales: readonly string[]
  /** The paths that try the first locale, the first two and so on. The path with all locales is the column itself. */
  readonly beginnings: readonly (readonly Step[])[]
}

function toChain({ source, list }: ColumnPlan): Chain | null {
  if (source.kind !== 'path' || list) return null
  const { steps } = source
  const at = steps.findIndex((step) => step.kind === 'locale' || (step.kind === 'choose' && step.by === 'element'))
  const step = steps[at]
  if (step?.kind !== 'locale' && step?.kind !== 'choose') return null
  const locales = step.others ? [...step.locales, anyOther] : step.locales
  if (locales.length < 2) return null
  const beginnings = locales.slice(0, -1).map((_, last) => {
    const tried = step.locales.slice(0, last + 1)
    return steps.map((each, index) => (index === at ? tryOnly(each, tried) : tryOnly(each, tried, 'value')))
  })
  return { field: formatFieldPath(steps), locales, beginnings }
}

/** The step restricted to these locales; a choice by value repeats the locales of the step after it. */
function tryOnly(step: Step, tried: readonly string[], by?: 'value'): Step {
  if (step.kind === 'locale' && by === undefined) {
    // With a single locale, the step would also accept an empty text.
    return { ...step, locales: tried.length === 1 ? [...tried, ...tried] : tried, others: false }
  }
  if (step.kind === 'choose' && (by === undefined || step.by === by)) return { ...step, locales: tried, others: false }
  return step
}

/** The column without its conversion, the only part of it that can fail. */
function withSteps(column: ColumnPlan, steps: readonly Step[]): ColumnPlan {
  const { source } = column
  if (source.kind !== 'path') return column
  return { ...column, type: { kind: source.delivered }, source: { ...source, steps, unitScale: 0 } }
}

/** The name for all locales that neither column nor fallback names. */
const anyOther = 'other'
