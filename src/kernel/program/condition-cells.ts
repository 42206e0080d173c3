import type { ScalarType } from '../../contracts/field-kinds.ts'
import type { Field } from '../../contracts/fields.ts'
import type { Condition, ConditionTest } from '../../records/conditions/condition.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { Unsupported } from './unsupported.ts'

/** A cell and the path of its value: from the record, or from the element that a table's row is made of. */
export interface ProjectedCell {
  readonly steps: readonly Step[]
  readonly cell: number
  readonly list: number | null
  readonly choice: ProjectedChoice | null
  /** Cells that every element of the list has for conditions on elements. Cell 0 says that there is an element. */
  readonly elementCells?: readonly ProjectedCell[]
}

export interface ProjectedChoice {
  /** Locales that an element suits; null if its value has the locales. */
  readonly locales: number | null
  /** The list of each condition; null for a condition on a single value. */
  readonly conditions: readonly (number | null)[]
  readonly isJson: boolean
}

/** A condition on hidden cells. It is met if any of them meets the test. */
export interface CellCondition {
  readonly cells: readonly ConditionCell[]
  readonly test: ConditionTest<CellCondition>
}

export interface NumberedCondition extends CellCondition {
  /** Its position among all conditions of the plan; see `listConditions`. */
  readonly number: number
}

export type ConditionCell =
  | { readonly kind: 'value'; readonly cell: number; readonly isList: boolean; readonly from: ScalarType }
  /** A list of elements with `width` cells each. */
  | { readonly kind: 'elements'; readonly cell: number; readonly width: number }

/** The number of the next list of hidden cells. */
export interface HiddenLists {
  nextHiddenList: number
}

export function projectConditions(where: readonly Condition[], root: Field, firstCell: number, numbers: HiddenLists) {
  const cells: ProjectedCell[] = []
  const addCell = (cell: Pick<ProjectedCell, 'steps' | 'elementCells'>): number => {
    const list = isOnList(cell) ? numbers.nextHiddenList++ : null
    return cells.push({ ...cell, cell: firstCell + cells.length, list, choice: null }) - 1 + firstCell
  }
  const project = ({ steps, otherSteps = [], test }: Condition): CellCondition => {
    switch (test.kind) {
      case 'some':
      case 'none': {
        const element = projectConditions(test.where, fieldAt(root, steps), 1, numbers)
        const cell = addCell({ steps, elementCells: element.cells })
        const width = 1 + element.cells.length
        return { cells: [{ kind: 'elements', cell, width }], test: { kind: test.kind, where: element.conditions } }
      }
      case 'any':
        return { cells: [], test: { kind: 'any', of: test.of.map((group) => group.map(project)) } }
      default:
        return { cells: [steps, ...otherSteps].map(projectValue), test }
    }
  }
  const projectValue = (steps: readonly Step[]): ConditionCell => {
    const end = fieldAt(root, steps)
    if (end.kind !== 'scalar') throw new Unsupported('a condition on what is no scalar')
    return { kind: 'value', cell: addCell({ steps }), isList: isOnList({ steps }), from: end.type }
  }
  return { cells, conditions: where.map(project) }
}

export function fieldAt(field: Field, [step, ...steps]: readonly Step[]): Field {
  if (step === undefined) return field
  const inside = step.kind === 'field' ? memberOf(field, step.name) : 'element' in field ? field.element : undefined
  if (inside === undefined) throw new Unsupported('a path that the contract does not have')
  return fieldAt(inside, steps)
}

function memberOf(field: Field, name: string): Field | undefined {
  return field.kind === 'object' ? field.fields.get(name) : undefined
}

export function isOnList({ steps }: Pick<Condition, 'steps'>): boolean {
  return steps.some(({ kind }) => kind === 'all')
}
