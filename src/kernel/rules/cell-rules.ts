import type { RulePlan } from '../../plan/conditions/rule-plan.ts'
import { compileByteTest, type SurelyPasses } from '../../records/conditions/byte-test.ts'
import type { Scalar } from '../../types/column-type-definition.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { type IdEntries, IdWriter } from '../../records/id-entries.ts'
import { compileScalarReader, readText } from '../scan/cells.ts'
import { cellBytes, type ColumnLayout, nullLength, type TableMemory } from '../program/table-memory.ts'
import type { ColumnCounts } from '../profile/column-counts.ts'
import { type CheckedRows, collectBroken, type ColumnRule, listBroken, openColumnRules } from './column-rules.ts'
import { listUnique, listUniqueValues } from './list-unique.ts'

/** Checks the rows that the fast path gives, as cells. */
export class CellRules {
  readonly #tables: TableMemory
  readonly #rules: readonly (ColumnRule | null)[]
  readonly #checks: readonly (() => void)[]
  readonly #unique: ReturnType<typeof listUnique>

  constructor(tables: TableMemory, rules: readonly RulePlan[], plans: readonly TablePlan[]) {
    this.#tables = tables
    this.#rules = openColumnRules(rules, plans)
    this.#checks = this.#rules.flatMap((rule, at) => (rule === null ? [] : [this.#compileCheck(rule, rules[at]?.test)]))
    this.#unique = listUnique(rules, plans)
  }

  /** Checks the rows that the tables have at the time of the call. */
  add(): CheckedRows {
    for (const check of this.#checks) check()
    return {
      unique: this.#unique.map((each) =>
        listUniqueValues(each, (table, column) => this.#listValues({ table, column })),
      ),
      broken: listBroken(this.#rules, (table, column, row) => this.#readText({ table, column }, row)),
    }
  }

  /** What breaks each rule so far. */
  collect(): ColumnCounts[] {
    return collectBroken(this.#rules)
  }

  #compileCheck(rule: ColumnRule, test: RulePlan['test'] | undefined): () => void {
    const layout = this.#layoutOf(rule)
    if (!rule.isOnValues || layout === undefined) return () => this.#addRowsWithout(rule)
    const isCompared = test?.kind === 'range' || test?.kind === 'in' || test?.kind === 'not'
    const surelyPasses = isCompared ? compileByteTest(test, layout) : null
    const read = compileScalarReader(this.#tables.memory, layout)
    return () => this.#addValues(rule, layout.list, surelyPasses, read)
  }

  #addValues(rule: ColumnRule, isList: boolean, surelyPasses: SurelyPasses | null, read: ReadScalar): void {
    const { memory } = this.#tables
    const { first, end, step } = this.#cellsOf(rule)
    for (let cell = first, row = 0; cell < end; cell += step, row++) {
      if (!isList) this.#addValue(rule, surelyPasses, read, cell, row)
      else if (memory.word(cell + 4) !== nullLength) {
        const elements = memory.word(cell)
        const elementsEnd = elements + memory.word(cell + 4) * cellBytes
        for (let at = elements; at < elementsEnd; at += cellBytes) this.#addValue(rule, surelyPasses, read, at, row)
      }
    }
  }

  #addValue(rule: ColumnRule, surelyPasses: SurelyPasses | null, read: ReadScalar, cell: number, row: number): void {
    const { memory } = this.#tables
    const start = memory.word(cell)
    const length = memory.word(cell + 4)
    if (length === nullLength || surelyPasses?.(memory.bytes, start, start + length) === true) return
    rule.addValue(read(cell), row)
  }

  #addRowsWithout(rule: ColumnRule): void {
    const { memory } = this.#tables
    const { first, end, step } = this.#cellsOf(rule)
    for (let cell = first, row = 0; cell < end; cell += step, row++) {
      if (memory.word(cell + 4) === nullLength) rule.addRowWithout(row)
    }
  }

  #listValues(place: ColumnPlace): IdEntries {
    const { memory } = this.#tables
    const layout = this.#layoutOf(place)
    // A row writes these in another way than its cells.
    const isConverted = layout !== undefined && (layout.type.kind === 'float' || layout.seconds)
    const read = isConverted ? compileScalarReader(memory, layout) : null
    const writer = new IdWriter()
    const { first, end, step } = this.#cellsOf(place)
    for (let cell = first, row = 0; cell < end; cell += step, row++) {
      const length = memory.word(cell + 4)
      if (length === nullLength) continue
      if (read === null) writer.addBytes(memory.bytes, memory.word(cell), length, row)
      else writer.add(String(read(cell)), row)
    }
    return writer.finish()
  }

  #readText(place: ColumnPlace, row: number): string | null {
    const { memory } = this.#tables
    const { first, step } = this.#cellsOf(place)
    const cell = first + row * step
    return memory.word(cell + 4) === nullLength ? null : readText(memory, cell)
  }

  #layoutOf({ table, column }: ColumnPlace): ColumnLayout | undefined {
    return this.#tables.layouts[table]?.columns[column]
  }

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

type ReadScalar = (cell: number) => Scalar
