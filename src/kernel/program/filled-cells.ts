import type { Field } from '../../contracts/fields.ts'
import type { ColumnPlan, Step } from '../../records/flatten/table-plan.ts'
import {
  type CellCondition,
  fieldAt,
  type HiddenLists,
  type ProjectedCell,
  type ProjectedChoice,
  projectConditions,
} from './condition-cells.ts'
import { Unsupported } from './unsupported.ts'

/** A column that counts the filled values in a hidden cell of the row, or says if there is one. */
export interface FilledColumn {
  readonly cell: number
  readonly kind: 'count' | 'has'
  readonly from: number
  /** Null if the hidden cell is a single value. */
  readonly elements: FilledElements | null
}

/** The hidden cells of a list: `width` an element. An element counts if it meets the conditions and has a value. */
export interface FilledElements {
  readonly width: number
  /** The cell of an element with its value. */
  readonly value: number
  /** True if that cell says only that there is an object. */
  readonly isObject: boolean
  readonly conditions: readonly CellCondition[]
}

export interface FilledCells {
  readonly cells: readonly ProjectedCell[]
  readonly filled: readonly FilledColumn[]
}

/** The hidden cells of a row, from `firstCell` on, for its columns that count values. */
export function toFilledCells(
  columns: readonly ColumnPlan[],
  root: Field,
  firstCell: number,
  numbers: HiddenLists,
  toChoice: (steps: readonly Step[]) => ProjectedChoice | null,
): FilledCells {
  const cells: ProjectedCell[] = []
  const filled = columns.flatMap(({ source }, cell): FilledColumn[] => {
    if (source.kind !== 'count' && source.kind !== 'has') return []
    const { kind, steps } = source
    const from = firstCell + cells.length
    const listed = toElements(steps, root, numbers)
    if (listed === null) cells.push({ steps, cell: from, list: null, choice: toChoice(steps) })
    else cells.push({ ...listed.cell, cell: from, list: numbers.nextHiddenList++, choice: null })
    return [{ cell, kind, from, elements: listed?.elements ?? null }]
  })
  return { cells, filled }
}

interface Elements {
  readonly cell: Pick<ProjectedCell, 'steps' | 'elementCells'>
  readonly elements: FilledElements
}

function toElements(steps: readonly Step[], root: Field, numbers: HiddenLists): Elements | null {
  const last = steps.findLastIndex(({ kind }) => kind === 'all')
  if (last < 0) return null
  if (steps.some((step) => step.kind === 'index' && step.where !== undefined)) {
    throw new Unsupported('one element of those that meet a `where`')
  }
  const isObject = fieldAt(root, steps).kind === 'object'
  const where = steps.flatMap((step) => (step.kind === 'all' ? (step.where ?? []) : []))
  if (where.length === 0 && !isObject) {
    return { cell: { steps }, elements: { width: 1, value: 0, isObject, conditions: [] } }
  }
  const [toElement, inside] = [steps.slice(0, last + 1), steps.slice(last + 1)]
  const { cells, conditions } = projectConditions(where, fieldAt(root, toElement), 1, numbers)
  const value = isObject ? 0 : 1 + cells.length
  const elementCells = isObject ? cells : [...cells, { steps: inside, cell: value, list: null, choice: null }]
  return {
    cell: { steps: toElement, elementCells },
    elements: { width: 1 + elementCells.length, value, isObject, conditions },
  }
}
