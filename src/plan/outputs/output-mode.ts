import type { StoredOutputConfig } from '../../config/schemas/output-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Column } from '../../records/flatten/column.ts'
import type { ColumnType } from '../../types/column-types.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { FilePlan, OutputMode } from './file-plan.ts'

export interface ModeContext {
  readonly tables: readonly Pick<TablePlan, 'name' | 'each' | 'columns'>[]
  readonly isIncremental: boolean
  readonly path: Problem['path']
}

/** The mode of an output, by default `merge` if the pipeline is incremental, otherwise `snapshot`. */
export function toMode<Mode extends OutputMode>(
  { mode }: { readonly mode?: Mode | undefined },
  isIncremental: boolean,
): Mode | 'merge' | 'snapshot' {
  return mode ?? (isIncremental ? 'merge' : 'snapshot')
}

export function checkMode(output: StoredOutputConfig, { tables, isIncremental, path }: ModeContext): Problem[] {
  const mode = toMode(output, isIncremental)
  const problems: Problem[] = []
  if (isIncremental && mode === 'snapshot') {
    const message =
      'mode: expected merge, append, changes or history with incremental, as a snapshot holds no more than one run reads'
    problems.push(problemAt([...path, 'mode'], message))
  }
  if ('touched' in output && output.touched !== undefined && mode !== 'changes')
    problems.push(problemAt([...path, 'touched'], `touched: expected only with mode: changes, got it with ${mode}`))
  if (mode === 'changes') problems.push(...checkChanges(output, tables, path))
  if (output.removed !== undefined && mode !== 'merge')
    problems.push(problemAt([...path, 'removed'], `removed: expected only with mode: merge, got it with ${mode}`))
  if ('deletes' in output && output.deletes === 'vectors' && mode !== 'merge' && mode !== 'history') {
    const message = `deletes: expected vectors only with mode: merge or history, got them with ${mode}, which deletes no rows one by one`
    problems.push(problemAt([...path, 'deletes'], message))
  }
  // Also checked for files, whose readers make columns of folder names.
  const added = new Set(listModeColumns({ mode, removed: output.removed ?? 'drop' }).map(({ name }) => name))
  for (const { name, columns } of tables) {
    const taken = columns.find((column) => added.has(column.name.toLowerCase()))
    if (taken === undefined) continue
    const message = `mode: ${mode} adds a column "${taken.name}", which table "${name}" has already: give that another name with column:`
    problems.push(problemAt([...path, 'mode'], message))
  }
  return problems
}

function checkChanges(output: StoredOutputConfig, tables: ModeContext['tables'], path: Problem['path']): Problem[] {
  const problems: Problem[] = []
  if ('partitionBy' in output && output.partitionBy !== undefined) {
    const message =
      'partitionBy: expected only with other modes, as a removed record has no values, got it with changes'
    problems.push(problemAt([...path, 'partitionBy'], message))
  }
  if (tables.length > 0 && tables.every(({ each }) => each.length > 0)) {
    const message = `mode: changes needs a table without each in the same output, which lists removed records, got only ${tables.map(({ name }) => `"${name}"`).join(', ')}`
    problems.push(problemAt([...path, 'mode'], message))
  }
  return problems
}

type Kept = Pick<FilePlan, 'mode' | 'removed'>

/** Columns that a mode appends to those of a table in a database. */
export function listModeColumns({ mode, removed }: Kept): Column[] {
  switch (mode) {
    case 'snapshot':
      return []
    case 'append':
      return [toColumn('run_date', 'date'), toColumn('run_id', 'text')]
    case 'changes':
      return [
        toColumn('_change', 'text'),
        toColumn('_changed_at', 'timestamp'),
        toColumn('_run', 'text'),
        toColumn('_previous_run', 'text'),
      ]
    case 'merge':
      return removed === 'mark' ? [toColumn('_removed_at', 'timestamp')] : []
    case 'history':
      return [toColumn('valid_from', 'timestamp'), toColumn('valid_to', 'timestamp'), toColumn('is_current', 'boolean')]
  }
}

/** Columns that a mode appends in files. `append` names its runs in folders instead. */
export function listFileModeColumns({ mode, removed }: Kept): Column[] {
  return mode === 'append' ? [] : listModeColumns({ mode, removed })
}

function toColumn(name: string, kind: Exclude<ColumnType['kind'], 'decimal'>): Column {
  return { name, type: { kind }, list: false }
}
