import type { ColumnPlan } from '../../records/flatten/table-plan.ts'

/** The key of a child table, or the column from `id` of a root table. */
export function findIdColumn(columns: readonly ColumnPlan[]): ColumnPlan | undefined {
  return columns.find(({ source, type, list }) => {
    const isWhole = !list && (type.kind === 'text' || type.kind === 'integer')
    const [step, ...rest] = source.kind === 'path' ? source.steps : []
    const isId = step?.kind === 'field' && step.name === 'id' && rest.length === 0
    return isWhole && (source.kind === 'key' || isId)
  })
}

export function isPosition({ source }: ColumnPlan): boolean {
  return source.kind === 'position'
}
