import type { RulePlan, RuleTest } from '../../plan/conditions/rule-plan.ts'
import { type ColumnCounts, noCounts } from '../profile/column-counts.ts'
import { toByteString, ValueCounter } from '../profile/value-counter.ts'
import { compileComparison } from '../../records/conditions/condition-test.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { type BrokenRow, cutValue, mostListed } from './broken-rows.ts'
import { findKeyColumns, type KeyColumns } from './key-columns.ts'
import type { UniqueValues } from './list-unique.ts'

/** A rule that is on the values of a column, or on rows without one, with what breaks it so far. */
export class ColumnRule {
  readonly table: number
  /** Position in the columns of the table. */
  readonly column: number
  readonly key: KeyColumns
  readonly #allows: AllowsValue | null
  readonly #broken: ValueCounter
  /** The first rows of each thread in the order of the blocks, among which are the first of all threads. */
  #noted: NotedRow[] = []
  #notes = 0

  constructor({ table, test }: RulePlan, position: number, { type }: Column, key: KeyColumns) {
    this.table = table
    this.column = position
    this.key = key
    this.#allows = compileValueTest(test)
    this.#broken = new ValueCounter(type)
  }

  /** True for a rule on values, false for one on rows without. */
  get isOnValues(): boolean {
    return this.#allows !== null
  }

  /** Rows are numbered within the table of their block. */
  addRowWithout(row: number): void {
    this.#broken.filled++
    this.#note(row, null)
  }

  /** Texts are well-formed. */
  addValue(value: Scalar, row: number): void {
    if (this.#allows?.(value) !== false) return
    const text = toByteString(value)
    this.#broken.filled++
    this.#broken.add(text)
    this.#note(row, text)
  }

  /** The rows of the last block that were noted, each once for each of its values. */
  takeNoted(): readonly NotedRow[] {
    const noted = this.#noted
    if (noted.length > 0) this.#noted = []
    return noted
  }

  #note(row: number, value: string | null): void {
    if (this.#notes === mostListed) return
    this.#notes++
    this.#noted.push({ row, value: value === null ? null : cutValue(value) })
  }

  collect(): ColumnCounts {
    return this.#broken.collect()
  }
}

type AllowsValue = (value: Scalar) => boolean

/** Null for a rule that is on no value alone. */
function compileValueTest(test: RuleTest): AllowsValue | null {
  switch (test.kind) {
    case 'range':
    case 'in':
    case 'not':
      return compileComparison(test)
    case 'matches': {
      const pattern = new RegExp(test.pattern, 'u')
      return (value) => pattern.test(value as string)
    }
    case 'filled':
    case 'unique':
    case 'rows':
      return null
  }
}

type NotedRow = Pick<BrokenRow, 'value'> & { readonly row: number }

export interface CheckedRows {
  /** Of each column that is to be unique, in the order of their rules. */
  readonly unique: readonly UniqueValues[]
  readonly broken: readonly BrokenRow[]
}

/** Reads a cell of the block that was checked last, by the numbers of its table, column and row. */
export type ReadText = (table: number, column: number, row: number) => string | null

/** The rows that the rules have noted in a block, each with its key. */
export function listBroken(rules: readonly (ColumnRule | null)[], readText: ReadText): BrokenRow[] {
  return rules.flatMap((each, rule) =>
    each === null
      ? []
      : each.takeNoted().map(({ row, value }) => {
          const { table, columns } = each.key
          const [id = null, ...positions] = columns.map((column) => readText(table, column, row))
          return { rule, id, positions: positions.map(Number), value }
        }),
  )
}

/** By rule; null for one that is counted elsewhere. */
export function openColumnRules(rules: readonly RulePlan[], tables: readonly TablePlan[]): (ColumnRule | null)[] {
  return rules.map((rule) => {
    const column = rule.column === null ? undefined : tables[rule.table]?.columns[rule.column]
    if (rule.column === null || column === undefined || rule.test.kind === 'unique') return null
    return new ColumnRule(rule, rule.column, column, findKeyColumns(rule, tables))
  })
}

/** What breaks each rule. */
export function collectBroken(rules: readonly (ColumnRule | null)[]): ColumnCounts[] {
  return rules.map((rule) => rule?.collect() ?? noCounts)
}
