import type { ListField } from '../../contracts/fields.ts'
import type { ChooseStep, Step } from '../../records/flatten/table-plan.ts'
import { toTextCondition, writeCondition, writeNames } from './condition-nodes.ts'
import * as layout from './node-layout.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import { isPlainText } from './scalar-nodes.ts'
import { localesOfElement } from './projection.ts'
import { Unsupported } from './unsupported.ts'
import { cellBytes } from './table-memory.ts'
import type { ListOffsets, TreeCell, NodeProjection } from './tree-context.ts'

interface WrittenPicks {
  readonly start: ProgramOffset
  readonly count: number
  readonly row: ProgramOffset
  readonly rowCells: number
  readonly cells: readonly TreeCell[]
  /** Keys that make an element fall back: only the reference path sorts by them. */
  readonly refused: readonly string[]
}

export function writePicks(writer: ProgramWriter, list: ListField, { cells }: NodeProjection): WrittenPicks {
  const picked = cells.flatMap((cell) => {
    const [step] = cell.steps
    return step?.kind === 'choose' ? [{ cell, step }] : []
  })
  const start = writer.allocate(layout.pickBytes * picked.length)
  if (picked.length === 0) return { start, count: 0, row: start, rowCells: 0, cells: [], refused: [] }
  const isOrdered = checkOrder(list)
  if (picked.some(({ step }) => step.by === 'element')) checkLocales(list)
  const row = new PickRow(writer, picked)
  for (const [index, { cell, step }] of picked.entries()) {
    writePick(writer, (start + index * layout.pickBytes) as ProgramOffset, cell, step, row)
  }
  const refused = isOrdered ? [] : ['displayOrder']
  return { start, count: picked.length, row: row.start, rowCells: row.cellCount, cells: row.cells, refused }
}

/** False if the contract has no display order. The reference path sorts by one that is delivered nevertheless. */
function checkOrder({ element }: ListField): boolean {
  const order = element.kind === 'object' ? element.fields.get('displayOrder') : undefined
  if (order === undefined) return false
  if (order.kind !== 'scalar' || order.type !== 'integer') throw new Unsupported('elements in another order')
  return true
}

function checkLocales({ element }: ListField): void {
  const locales = element.kind === 'object' ? element.fields.get('locales') : undefined
  if (locales?.kind !== 'list' || !isPlainText(locales.element)) throw new Unsupported('elements without locales')
}

interface Picked {
  readonly cell: TreeCell
  readonly step: ChooseStep
}

/** Cells that the walk fills for every element. Conditions on the same path share a cell. */
class PickRow {
  readonly start: ProgramOffset
  readonly cells: TreeCell[] = []
  readonly #slot: ProgramOffset
  readonly #offsets = new Map<string, number>()
  #next = 0

  constructor(writer: ProgramWriter, picked: readonly Picked[]) {
    const conditions = picked.reduce((count, { step }) => count + step.where.length, 0)
    this.start = writer.allocate(cellBytes * (2 + conditions + picked.length))
    this.#slot = writer.allocate(4)
    writer.link(this.#slot, 0, this.start)
    const locales = picked.find(({ cell }) => cell.choice?.locales)?.cell.choice?.locales ?? null
    if (locales !== null) this.addOnce(localesOfElement, locales)
    this.#next = layout.pickOrderCell
    this.addOnce([{ kind: 'field', name: 'displayOrder' }], null)
  }

  get cellCount(): number {
    return this.#next / cellBytes
  }

  addOnce(steps: readonly Step[], list: ListOffsets | null): ProgramOffset {
    const path = JSON.stringify(steps)
    const offset = this.#offsets.get(path) ?? this.#next
    if (!this.#offsets.has(path)) {
      this.#offsets.set(path, offset)
      this.#add({ steps, list: list && { ...list, isOpen: false }, choice: null, pick: null, rank: null })
    }
    return (this.start + offset) as ProgramOffset
  }

  addPicked(cell: TreeCell, pick: ProgramOffset | null): ProgramOffset {
    if (cell.rank !== null) throw new Unsupported('a choice in a localized value')
    const offset = this.#next
    this.#add({ ...cell, steps: cell.steps.slice(1), choice: null, pick })
    return (this.start + offset) as ProgramOffset
  }

  #add(cell: Omit<TreeCell, 'slot' | 'offset'>): void {
    this.cells.push({ ...cell, slot: this.#slot, offset: this.#next })
    this.#next += cellBytes
  }
}

function writePick(writer: ProgramWriter, pick: ProgramOffset, cell: TreeCell, step: ChooseStep, row: PickRow): void {
  const { choice } = cell
  if (choice === null) throw new Unsupported('a choice by nothing')
  const isByValue = step.by === 'value'
  writer.link(pick, layout.pickSlot, cell.slot)
  writer.setWord(pick, layout.pickOffset, cell.offset)
  writer.link(pick, layout.pickFrom, row.addPicked(cell, isByValue ? pick : null))
  writer.setWord(pick, layout.pickIsJson, Number(choice.isJson))
  const locales = isByValue ? [] : step.locales
  writer.link(pick, layout.pickNames, writeNames(writer, locales))
  writer.setWord(pick, layout.pickNameCount, locales.length)
  writer.setWord(pick, layout.pickOthers, Number(step.others))
  const conditions = writer.allocate(layout.conditionBytes * step.where.length)
  for (const [index, condition] of step.where.entries()) {
    const list = choice.conditions[index] ?? null
    const address = row.addOnce(condition.steps, list)
    const at = (conditions + index * layout.conditionBytes) as ProgramOffset
    writeCondition(writer, at, toTextCondition(condition.test, list !== null), { address })
  }
  writer.link(pick, layout.pickConditions, conditions)
  writer.setWord(pick, layout.pickConditionCount, step.where.length)
}
