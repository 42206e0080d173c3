import type { ColumnPlan } from '../../records/flatten/table-plan.ts'

/** The key of a child table; of a root table the column from `id`. */
export function findIdColumn(columns: readonly ColumnPlan[]): ColumnPlan | undefined {
  return columns.find(({ source, type, list }) => {
    const isWhole = !list && (type.kind === 'text' || type.kind === 'integer')
    const [step, ...rest] = source.kind === 'path' ? source.steps : []
    const isId = step?.kind === 'field' && step.name === 'id' && rest.length === 0
    return isWhole && (source.kind === 'key' || isId)
  })
}

/** True for a column that numbers the rows of one record. */
export function isPosition({ source }: ColumnPlan): boolean {
  return source.kind === 'position'
}
