import { isDatabase } from '../../config/schemas/output-schema.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { ColumnPlan, TablePlan } from '../../records/flatten/table-plan.ts'
import { toMode } from '../outputs/output-mode.ts'

type Config = Pick<
  { -readonly [Key in keyof CompletePipelineConfig]: CompletePipelineConfig[Key] | null },
  'incremental' | 'outputs'
>

/** Whether a table is made of the history of another one. */
export function isOfHistory({ builtin }: Pick<TablePlan, 'builtin'>): boolean {
  return builtin?.name === 'price_periods'
}

/** The column with the price as it was delivered. */
export function isPrice({ from, type, list }: ColumnPlan): boolean {
  return from === 'publicPrice' && type.kind === 'integer' && !list
}

/** The table of the records, whose history has the prices. */
export function findPriced(tables: readonly TablePlan[]): number {
  return tables.findIndex(({ each, columns }) => each.length === 0 && columns.some(isPrice))
}

/** Problems of tables of periods: they need a history in files that has the price, and go into files that are written whole. */
export function checkPeriods({ incremental, outputs }: Config, tables: readonly TablePlan[]): Problem[] {
  const priced = tables[findPriced(tables)]
  return tables.flatMap((table) => {
    if (!isOfHistory(table)) return []
    const at = ['tables', table.name, 'builtin']
    const problems: Problem[] = []
    if (priced === undefined)
      problems.push(
        problemAt(
          at,
          'builtin: expected a table without each with the column publicPrice as it is delivered, whose history has the prices, got none',
        ),
      )
    const modes = (outputs ?? []).flatMap((output) =>
      output.format === 'own' ? [] : [{ output, mode: toMode(output, Boolean(incremental)) }],
    )
    const holds = (name: string | undefined) =>
      modes.filter(({ output }) => output.tables?.includes(name ?? '') !== false)
    if (
      priced !== undefined &&
      !holds(priced.name).some(({ output, mode }) => !isDatabase(output) && mode === 'history')
    )
      problems.push(
        problemAt(
          at,
          `builtin: expected an output in files with mode: history that holds the table "${priced.name}", got none`,
        ),
      )
    for (const { output, mode } of holds(table.name)) {
      const isPartitioned = 'partitionBy' in output && output.partitionBy !== undefined
      if (!isDatabase(output) && (mode === 'merge' || mode === 'history') && !isPartitioned) continue
      const got = isDatabase(output) ? output.format : isPartitioned ? 'partitionBy' : `mode: ${mode}`
      const message = `builtin: expected "${table.name}" in files with mode: merge or history alone, got it in an output with ${got}: list the tables of that output with tables. In a database the view in docs/incremental.md says the same`
      problems.push(problemAt(at, message))
    }
    return problems
  })
}
