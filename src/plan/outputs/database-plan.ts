import type { DatabaseUrl } from '../../config/database-url.ts'
import type { OutputMode, Removal } from './file-plan.ts'

interface DatabaseTarget {
  readonly schema: string
  readonly mode: OutputMode
  readonly removed: Removal
  readonly tables: readonly number[]
}

/** A database output, which keeps its own state. */
export type DatabasePlan =
  /** `url` is null if `check` or `plan` ran without its variable. */
  | (DatabaseTarget & {
      readonly format: 'postgres'
      readonly url: DatabaseUrl | null
      readonly lockTimeoutMs?: number | undefined
    })
  | (DatabaseTarget & { readonly format: 'duckdb'; readonly path: string })
