import { cellBytes, type TableHeaders } from './table-memory.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import type { ProjectedCell } from './condition-cells.ts'
import type { TableProjection } from './projection.ts'
import type { ListOffsets, TreeCell, TreeTable } from './tree-context.ts'

export class TreeCells {
  readonly #writer: ProgramWriter
  readonly #tables: TableHeaders<ProgramOffset>
  readonly #slotOf: (header: number) => ProgramOffset

  constructor(writer: ProgramWriter, tables: TableHeaders<ProgramOffset>, slotOf: (header: number) => ProgramOffset) {
    this.#writer = writer
    this.#tables = tables
    this.#slotOf = slotOf
  }

  toTable({ each, cells, positions }: TableProjection, table: number): TreeTable {
    const slot = this.#slotOf(table + 1)
    return {
      steps: each,
      header: this.#tables.tableHeader(table),
      slot,
      cells: cells.flatMap((cell) => this.toCells(cell, slot)),
      positions: positions.map(({ cell, depth }) => ({ offset: cell * cellBytes, depth })),
      passed: [],
    }
  }

  /**
   * A cell in the row whose address is in the slot. A list with conditions on its elements has a cell for each of
   * theirs.
   */
  toCells({ steps, cell, list, choice, elementCells }: ProjectedCell, slot: ProgramOffset): TreeCell[] {
    const common = { steps, slot, offset: cell * cellBytes, pick: null, rank: null }
    if (elementCells !== undefined && list !== null) {
      const { header } = this.#toList(list)
      return [null, ...elementCells].map((inside) => {
        // Each cell of the newest element has a slot of its own, as if it were a row.
        const own = this.#writer.allocate(4)
        const cells = inside === null ? [] : this.toCells({ ...inside, cell: 0 }, own)
        const element = { cells, isFirst: inside === null }
        return { ...common, list: { header, slot: own, isOpen: inside !== null }, choice: null, element }
      })
    }
    return [
      {
        ...common,
        list: list === null ? null : { ...this.#toList(list), isOpen: false },
        choice: choice && {
          ...choice,
          locales: this.#toListOrNull(choice.locales),
          conditions: choice.conditions.map((number) => this.#toListOrNull(number)),
        },
      },
    ]
  }

  #toList(number: number): ListOffsets {
    const { layouts } = this.#tables
    return { header: this.#tables.listHeader(number), slot: this.#slotOf(1 + layouts.length + number) }
  }

  #toListOrNull(number: number | null): ListOffsets | null {
    return number === null ? null : this.#toList(number)
  }
}
