import type { RulePlan } from '../plan/pipeline-plan.ts'
import type { ColumnCounts } from '../profile/column-counts.ts'
import { type IdEntries, IdWriter } from '../records/id-entries.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import { cellBytes, type ColumnLayout, nullLength, type TableMemory } from '../scan/table-memory.ts'
import { compileCellTest, type SurelyAllows } from './cell-test.ts'
import { collectBroken, type ColumnRule, openColumnRules } from './column-rules.ts'
import { listUnique } from './list-unique.ts'

/** Checks the rows that the fast path gives, as cells. */
export class CellRules {
  readonly #tables: TableMemory
  readonly #rules: readonly (ColumnRule | null)[]
  readonly #tests: readonly (SurelyAllows | null)[]
  readonly #unique: ReturnType<typeof listUnique>

  constructor(tables: TableMemory, rules: readonly RulePlan[], plans: readonly TablePlan[]) {
    this.#tables = tables
    this.#rules = openColumnRules(rules, plans)
    this.#tests = rules.map((rule, at) => {
      const layout = this.#rules[at] && this.#layoutOf(this.#rules[at])
      return layout ? compileCellTest(rule, layout) : null
    })
    this.#unique = listUnique(rules)
  }

  /** Checks the rows that the tables have at the time of the call, and returns the values of each column that is to be unique. */
  add(): IdEntries[] {
    for (const [at, rule] of this.#rules.entries()) {
      if (rule === null) continue
      if (rule.isOnValues) this.#addValues(rule, this.#tests[at] ?? null)
      else this.#addRowsWithout(rule)
    }
    return this.#unique.map((column) => this.#listValues(column))
  }

  /** By rule: what breaks it so far. */
  collect(): ColumnCounts[] {
    return collectBroken(this.#rules)
  }

  #addValues(rule: ColumnRule, surelyAllows: SurelyAllows | null): void {
    const { words } = this.#tables.memory
    const { list = false, seconds = false } = this.#layoutOf(rule) ?? {}
    const { first, end, step } = this.#cellsOf(rule)
    for (let cell = first; cell < end; cell += step) {
      if (!list) this.#addValue(rule, surelyAllows, cell, seconds)
      else if (words[(cell >>> 2) + 1] !== nullLength) {
        const elements = words[cell >>> 2] as number
        const elementsEnd = elements + (words[(cell >>> 2) + 1] as number) * cellBytes
        for (let at = elements; at < elementsEnd; at += cellBytes) this.#addValue(rule, surelyAllows, at, seconds)
      }
    }
  }

  #addValue(rule: ColumnRule, surelyAllows: SurelyAllows | null, cell: number, seconds: boolean): void {
    const { words, bytes } = this.#tables.memory
    const start = words[cell >>> 2] as number
    const length = words[(cell >>> 2) + 1] as number
    if (length === nullLength || surelyAllows?.(bytes, start, start + length) === true) return
    const text = bytes.toString('latin1', start, start + length)
    rule.addValue(seconds ? String(Number(text) * 1000) : text)
  }

  #addRowsWithout(rule: ColumnRule): void {
    const { words } = this.#tables.memory
    const { first, end, step } = this.#cellsOf(rule)
    for (let cell = first; cell < end; cell += step) {
      if (words[(cell >>> 2) + 1] === nullLength) rule.addRowWithout()
    }
  }

  /** The values, each with its row. */
  #listValues(place: ColumnPlace): IdEntries {
    const { words, bytes } = this.#tables.memory
    const layout = this.#layoutOf(place)
    const writer = new IdWriter()
    const { first, end, step } = this.#cellsOf(place)
    for (let cell = first, row = 0; cell < end; cell += step, row++) {
      const start = words[cell >>> 2] as number
      const length = words[(cell >>> 2) + 1] as number
      if (length === nullLength) continue
      const text = layout && toOtherText(layout, bytes, start, start + length)
      if (text === null || text === undefined) writer.addBytes(bytes, start, length, row)
      else writer.add(text, row)
    }
    return writer.finish()
  }

  #layoutOf({ table, column }: ColumnPlace): ColumnLayout | undefined {
    return this.#tables.layouts[table]?.columns[column]
  }

  /** The addresses of a column's cells. */
  #cellsOf({ table, column }: ColumnPlace): { readonly first: number; readonly end: number; readonly step: number } {
    const { address, count, width } = this.#tables.rows(table)
    const first = address + column * cellBytes
    const step = width * cellBytes
    return { first, end: first + count * step, step }
  }
}

interface ColumnPlace {
  readonly table: number
  readonly column: number
}

/** The text of a value that a row writes in another way than its cell; null where it is the same. */
function toOtherText({ type, seconds }: ColumnLayout, bytes: Buffer<SharedArrayBuffer>, start: number, end: number) {
  if (type.kind !== 'float' && !seconds) return null
  const value = Number(bytes.toString('latin1', start, end))
  return String(seconds ? value * 1000 : value)
}
