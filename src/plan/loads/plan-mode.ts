import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { listModeColumns } from './mode-columns.ts'
import type { OutputConfig } from '../../config/output-schema.ts'
import type { OutputMode } from '../pipeline-plan.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

export interface ModeContext {
  /** The tables of the output. */
  readonly tables: readonly Pick<TablePlan, 'name' | 'columns'>[]
  readonly isIncremental: boolean
  /** Of the output. */
  readonly path: Problem['path']
}

/** What an output holds where the config does not say: with deltas, every record as it is now. */
export function toMode({ mode }: OutputConfig, isIncremental: boolean): OutputMode {
  return mode ?? (isIncremental ? 'merge' : 'snapshot')
}

/** What an output says of earlier runs that can't be. */
export function checkMode(output: OutputConfig, { tables, isIncremental, path }: ModeContext): Problem[] {
  const mode = toMode(output, isIncremental)
  const problems: Problem[] = []
  if (isIncremental && mode === 'snapshot') {
    const message =
      'mode: expected merge, append or history with incremental, as a snapshot holds no more than one run reads'
    problems.push(problemAt([...path, 'mode'], message))
  }
  if (output.removed !== undefined && mode !== 'merge')
    problems.push(problemAt([...path, 'removed'], `removed: expected only with mode: merge, got it with ${mode}`))
  // Of files, too: readers take the names of folders for columns.
  const added = new Set(listModeColumns({ mode, removed: output.removed ?? 'drop' }).map(({ name }) => name))
  for (const { name, columns } of tables) {
    const taken = columns.find((column) => added.has(column.name.toLowerCase()))
    if (taken === undefined) continue
    const message = `mode: ${mode} adds a column "${taken.name}", which table "${name}" has already: give that another name with column:`
    problems.push(problemAt([...path, 'mode'], message))
  }
  return problems
}
