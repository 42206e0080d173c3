import type { DatabaseLoad, DatabaseOutputPlan } from './database-output.ts'
import type { SqlDialect } from './sql-dialect.ts'

/** All that decides the statements of one load. */
export interface LoadTerms {
  readonly dialect: SqlDialect
  readonly plan: Omit<DatabaseOutputPlan, 'target'> & {
    readonly target: { readonly schema: string; readonly catalog?: string }
  }
  readonly load: Pick<DatabaseLoad, 'kind' | 'runId' | 'startedAt'>
  /** Every record of the load is put in place, whether it changed or not. */
  readonly rewritesAll: boolean
}

/** The session's table with the load's records: `recordColumns`. */
export const loadedRecords = '_load_records'
/** The session's table with one row a record of the load, and a row for each that is gone. */
export const loadChanges = '_load_changes'

/** The session's table with the load's rows of a table. */
export function loadedTable(table: number): string {
  return `_load_${table}`
}
