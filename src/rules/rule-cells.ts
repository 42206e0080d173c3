import type { RulePlan } from '../plan/rules/rule-plan.ts'
import type { ColumnCounts } from '../profile/column-counts.ts'
import { type IdEntries, IdWriter } from '../records/id-entries.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import type { ScanMemory } from '../scan/scan-memory.ts'
import { cellBytes, type ColumnLayout, nullLength, type TableMemory } from '../scan/table-memory.ts'
import { compileCellTest, type SurelyAllows } from './cell-test.ts'
import { type CheckedRows, collectBroken, type ColumnRule, listBroken, openColumnRules } from './column-rules.ts'
import { listUnique, listUniqueValues } from './list-unique.ts'

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
    this.#unique = listUnique(rules, plans)
  }

  /** Checks the rows that the tables have at the time of the call. */
  add(): CheckedRows {
    for (const [at, rule] of this.#rules.entries()) {
      if (rule === null) continue
      if (rule.isOnValues) this.#addValues(rule, this.#tests[at] ?? null)
      else this.#addRowsWithout(rule)
    }
    return {
      unique: this.#unique.map((each) =>
        listUniqueValues(each, (table, column) => this.#listValues({ table, column })),
      ),
      broken: listBroken(this.#rules, (table, column, row) => this.#readText({ table, column }, row)),
    }
  }

  /** By rule: what breaks it so far. */
  collect(): ColumnCounts[] {
    return collectBroken(this.#rules)
  }

  #addValues(rule: ColumnRule, surelyAllows: SurelyAllows | null): void {
    const { memory } = this.#tables
    const { list = false, seconds = false } = this.#layoutOf(rule) ?? {}
    const { first, end, step } = this.#cellsOf(rule)
    for (let cell = first, row = 0; cell < end; cell += step, row++) {
      if (!list) this.#addValue(rule, surelyAllows, cell, row, seconds)
      else if (memory.word(cell + 4) !== nullLength) {
        const elements = memory.word(cell)
        const elementsEnd = elements + memory.word(cell + 4) * cellBytes
        for (let at = elements; at < elementsEnd; at += cellBytes) this.#addValue(rule, surelyAllows, at, row, seconds)
      }
    }
  }

  #addValue(rule: ColumnRule, surelyAllows: SurelyAllows | null, cell: number, row: number, seconds: boolean): void {
    const { memory } = this.#tables
    const start = memory.word(cell)
    const length = memory.word(cell + 4)
    if (length === nullLength || surelyAllows?.(memory.bytes, start, start + length) === true) return
    const text = memory.text(start, length, 'latin1')
    rule.addValue(seconds ? String(Number(text) * 1000) : text, row)
  }

  #addRowsWithout(rule: ColumnRule): void {
    const { memory } = this.#tables
    const { first, end, step } = this.#cellsOf(rule)
    for (let cell = first, row = 0; cell < end; cell += step, row++) {
      if (memory.word(cell + 4) === nullLength) rule.addRowWithout(row)
    }
  }

  /** The values, each with its row. */
  #listValues(place: ColumnPlace): IdEntries {
    const { memory } = this.#tables
    const layout = this.#layoutOf(place)
    const writer = new IdWriter()
    const { first, end, step } = this.#cellsOf(place)
    for (let cell = first, row = 0; cell < end; cell += step, row++) {
      const start = memory.word(cell)
      const length = memory.word(cell + 4)
      if (length === nullLength) continue
      const text = layout && toOtherText(layout, memory, start, length)
      if (text === null || text === undefined) writer.addBytes(memory.bytes, start, length, row)
      else writer.add(text, row)
    }
    return writer.finish()
  }

  #readText(place: ColumnPlace, row: number): string | null {
    const { memory } = this.#tables
    const { first, step } = this.#cellsOf(place)
    const cell = first + row * step
    const start = memory.word(cell)
    const length = memory.word(cell + 4)
    return length === nullLength ? null : memory.text(start, length)
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
function toOtherText({ type, seconds }: ColumnLayout, memory: ScanMemory, start: number, length: number) {
  if (type.kind !== 'float' && !seconds) return null
  const value = Number(memory.text(start, length, 'latin1'))
  return String(seconds ? value * 1000 : value)
}
