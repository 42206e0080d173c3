import type { Column, ColumnType } from '../../records/flatten/column.ts'
import type { FilePlan } from '../pipeline-plan.ts'

type Kept = Pick<FilePlan, 'mode' | 'removed'>

/** The columns that a mode adds behind those of a table, in a database. */
export function listModeColumns({ mode, removed }: Kept): Column[] {
  switch (mode) {
    case 'snapshot':
      return []
    case 'append':
      return [column('run_date', 'date'), column('run_id', 'text')]
    case 'merge':
      return removed === 'mark' ? [column('_removed_at', 'timestamp')] : []
    case 'history':
      return [column('valid_from', 'timestamp'), column('valid_to', 'timestamp'), column('is_current', 'boolean')]
  }
}

/** The same in files: an appending output names its runs in folders, and adds no column. */
export function listFileModeColumns({ mode, removed }: Kept): Column[] {
  return mode === 'append' ? [] : listModeColumns({ mode, removed })
}

function column(name: string, kind: Exclude<ColumnType['kind'], 'decimal'>): Column {
  return { name, type: { kind }, list: false }
}
