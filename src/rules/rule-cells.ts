import type { RulePlan } from '../plan/pipeline-plan.ts'
import type { ColumnCounts } from '../profile/column-counts.ts'
import { type IdEntries, IdWriter } from '../records/id-entries.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import type { ScanMemory } from '../scan/scan-memory.ts'
import { cellBytes, nullLength, type TableMemory } from '../scan/table-memory.ts'
import { collectBroken, type ColumnRule, openColumnRules } from './column-rules.ts'
import { listUnique } from './list-unique.ts'

/** Checks the rows that the fast path gives, as cells. */
export class CellRules {
  readonly #tables: TableMemory
  readonly #rules: readonly (ColumnRule | null)[]
  readonly #unique: ReturnType<typeof listUnique>

  constructor(tables: TableMemory, rules: readonly RulePlan[], plans: readonly TablePlan[]) {
    this.#tables = tables
    this.#rules = openColumnRules(rules, plans)
    this.#unique = listUnique(rules)
  }

  /** Checks the rows that the tables have at the time of the call, and returns the values of each column that is to be unique. */
  add(): IdEntries[] {
    for (const rule of this.#rules) {
      if (rule === null) continue
      if (rule.isOnValues) this.#addValues(rule)
      else this.#addRowsWithout(rule)
    }
    return this.#unique.map(({ table, column }) => this.#listValues(table, column))
  }

  /** By rule: what breaks it so far. */
  collect(): ColumnCounts[] {
    return collectBroken(this.#rules)
  }

  #addValues(rule: ColumnRule): void {
    const { memory } = this.#tables
    const { list = false, seconds = false } = this.#columnAt(rule.table, rule.column) ?? {}
    for (const cell of this.#cells(rule.table, rule.column)) {
      const length = memory.words[(cell >>> 2) + 1] as number
      if (length === nullLength) continue
      const first = list ? (memory.words[cell >>> 2] as number) : cell
      const end = list ? first + length * cellBytes : first + cellBytes
      for (let at = first; at < end; at += cellBytes) {
        const text = readBytes(memory, at, seconds)
        if (text !== null) rule.addValue(text)
      }
    }
  }

  #addRowsWithout(rule: ColumnRule): void {
    const { words } = this.#tables.memory
    for (const cell of this.#cells(rule.table, rule.column)) {
      if (words[(cell >>> 2) + 1] === nullLength) rule.addRowWithout()
    }
  }

  #listValues(table: number, column: number): IdEntries {
    const { memory } = this.#tables
    const { type, seconds = false } = this.#columnAt(table, column) ?? {}
    const writer = new IdWriter()
    let row = 0
    for (const cell of this.#cells(table, column)) {
      const bytes = readBytes(memory, cell, seconds)
      if (bytes !== null) writer.add(toUniqueText(bytes, type?.kind), row)
      row++
    }
    return writer.finish()
  }

  #columnAt(table: number, column: number) {
    return this.#tables.layouts[table]?.columns[column]
  }

  /** The addresses of a column's cells. */
  *#cells(table: number, column: number): Generator<number> {
    const { address, count, width } = this.#tables.rows(table)
    const rowBytes = width * cellBytes
    const first = address + column * cellBytes
    for (let row = 0; row < count; row++) yield first + row * rowBytes
  }
}

/** The canonical text of a cell as a byte string; null for null. */
function readBytes({ words, bytes }: ScanMemory, cell: number, seconds: boolean): string | null {
  const at = words[cell >>> 2] as number
  const length = words[(cell >>> 2) + 1] as number
  if (length === nullLength) return null
  const text = bytes.toString('latin1', at, at + length)
  return seconds ? String(Number(text) * 1000) : text
}

/** As `String` gives the value of a row. */
function toUniqueText(bytes: string, kind: string | undefined): string {
  if (kind === 'float') return String(Number(bytes))
  return kind === 'text' ? Buffer.from(bytes, 'latin1').toString() : bytes
}
