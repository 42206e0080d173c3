import type { Column, ColumnType } from '../records/column.ts'
import type { DatabaseOutputPlan } from './database-output.ts'

/** The columns that a mode adds behind those of a table. */
export function listModeColumns({ mode, removed }: Pick<DatabaseOutputPlan, 'mode' | 'removed'>): Column[] {
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

function column(name: string, kind: Exclude<ColumnType['kind'], 'decimal'>): Column {
  return { name, type: { kind }, list: false }
}
