import type { DatabaseUrl } from '../../config/database-url.ts'
import type { OutputMode, Removal } from './file-plan.ts'

interface DatabaseTarget {
  /** The schema of the tables and of the target's own state. */
  readonly schema: string
  readonly mode: OutputMode
  readonly removed: Removal
  /** Positions in `records.tables`. */
  readonly tables: readonly number[]
}

/** An output that is no file: tables of a database, which keeps its own state. */
export type DatabasePlan =
  /** `url` is null where `check` or `plan` ran without the variable that holds it. */
  | (DatabaseTarget & {
      readonly format: 'postgres'
      readonly url: DatabaseUrl | null
      readonly lockTimeoutMs?: number | undefined
    })
  | (DatabaseTarget & { readonly format: 'duckdb'; readonly path: string })
