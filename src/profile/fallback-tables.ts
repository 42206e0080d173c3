import type { ColumnPlan, Step, TablePlan } from '../records/flatten/table-plan.ts'
import type { LocalizedProfile } from './run-profile.ts'
import { formatFieldPath } from './format-field-path.ts'

/** The counts of rows by column that `toFallbacks` needs. */
type FilledColumns = readonly { readonly filled: number }[]

/**
 * A table that no output has, of the columns with `fallback` of another: each is there once for every beginning of its
 * locales. A row in which the first two find a value and the first alone finds none has taken the second.
 */
export interface FallbackTable {
  /** Position of the table whose columns they are. */
  readonly table: number
  readonly plan: TablePlan
  /** The number of filled rows by locale, in the order of the columns. */
  readonly toFallbacks: (filled: FilledColumns, counted: FilledColumns) => readonly Fallback[]
}

/** The locales that a column has taken its values from, with the field that it is of. */
export interface Fallback {
  readonly field: string
  readonly taken: LocalizedProfile['fallbacks']
}

/** The tables to be counted for the columns with `fallback`, lists left out. */
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
  /** The locales in the order in which they are tried, `other` where any will do in the end. */
  readonly locales: readonly string[]
  /** The paths that try the first locale, the first two and so on; all of them is the column itself. */
  readonly beginnings: readonly (readonly Step[])[]
}

/** Null for a column without a choice of locales. */
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

/** The step with these locales alone; a choice by value says the same as the step behind it. */
function tryOnly(step: Step, tried: readonly string[], by?: 'value'): Step {
  if (step.kind === 'locale' && by === undefined) {
    // One locale alone would be taken with an empty text, too.
    return { ...step, locales: tried.length === 1 ? [...tried, ...tried] : tried, others: false }
  }
  if (step.kind === 'choose' && (by === undefined || step.by === by)) return { ...step, locales: tried, others: false }
  return step
}

/** A column as it is read, so that only its conversion can fail. */
function withSteps(column: ColumnPlan, steps: readonly Step[]): ColumnPlan {
  const { source } = column
  if (source.kind !== 'path') return column
  return { ...column, type: { kind: source.delivered }, source: { ...source, steps, unitScale: 0 } }
}

/** The name of all locales that no column or fallback names. */
const anyOther = 'other'
