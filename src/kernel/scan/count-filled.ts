import { type CodeTaker, type ConditionReading, compileAll } from '../../records/conditions/condition-test.ts'
import type { CellCondition } from '../program/condition-cells.ts'
import { isWalked } from '../program/condition-nodes.ts'
import type { FilledColumn } from '../program/filled-cells.ts'
import type { ScanMemory } from '../program/scan-memory.ts'
import { cellBytes, nullLength } from '../program/table-memory.ts'
import { listElements } from './cells.ts'

/** A column that the walk does not write, with the value that a row has in it. */
export interface CompiledFilled {
  readonly cell: number
  readonly read: (row: number) => number | boolean
}

/** Compiles the columns that count elements by conditions that only JavaScript tests. */
export function compileFilledColumns(
  filled: readonly FilledColumn[],
  memory: ScanMemory,
  reading: ConditionReading<CellCondition, number>,
): CompiledFilled[] {
  return filled.flatMap((column) => {
    const { cell, kind, from, elements } = column
    if (isWalked(column) || elements === null) return []
    const { width, value, isObject, conditions } = elements
    const meets = compileAll(conditions, reading)
    const isFilled = (element: number): boolean =>
      isObject || ![0, nullLength].includes(memory.word(element + value * cellBytes + 4))
    const count = (row: number): number =>
      listElements(memory, row + from * cellBytes, width).filter((at) => isFilled(at) && meets(at, noCodes)).length
    return [{ cell, read: kind === 'count' ? count : (row: number) => count(row) > 0 }]
  })
}

/** Conditions on elements name no list of codes. */
const noCodes: CodeTaker = new Set()
