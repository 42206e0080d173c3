import { contracts } from '../../contracts/contracts.ts'
import type { Field } from '../../contracts/fields.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { Step, TablePlan } from '../../records/flatten/table-plan.ts'

export function listChoices({ contract }: RecordsPlan, { each, columns }: TablePlan): string[] {
  const root: Field = { kind: 'object', record: '', fields: contracts[contract].fields, description: '', notes: {} }
  const element = follow(root, each)
  const isChoice = ({ source }: TablePlan['columns'][number]): boolean => {
    const field = source.kind === 'path' ? follow(element, source.steps) : undefined
    return field?.kind === 'scalar' && field.values !== undefined
  }
  return columns.filter(isChoice).map(({ name }) => name)
}

function follow(from: Field | undefined, steps: readonly Step[]): Field | undefined {
  return steps.reduce<Field | undefined>((field, step) => {
    if (field === undefined) return undefined
    if (step.kind === 'field') return field.kind === 'object' ? field.fields.get(step.name) : undefined
    return field.kind === 'list' || field.kind === 'localized' ? field.element : undefined
  }, from)
}
