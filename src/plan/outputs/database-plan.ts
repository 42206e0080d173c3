import type { CatalogAccess } from '../../config/catalog-access.ts'
import { isServer, type ServerFormat } from '../../config/database-servers.ts'
import type { DatabaseUrl } from '../../config/database-url.ts'
import type { ParquetCompression } from '../../formats/parquet/page-compressor.ts'
import type { Removal, TableMode } from './file-plan.ts'

interface DatabaseTarget {
  readonly mode: TableMode
  readonly removed: Removal
  readonly tables: readonly number[]
}

/** An output that keeps its own state: a database, or the tables of a lake. */
export type DatabasePlan =
  /** `url` is null if `check` or `plan` ran without its variable. */
  | (DatabaseTarget & {
      readonly format: ServerFormat
      /** In MariaDB the database of the address. */
      readonly schema: string
      readonly url: DatabaseUrl | null
      readonly lockTimeoutMs?: number | undefined
    })
  | (DatabaseTarget & { readonly format: 'duckdb'; readonly path: string; readonly schema: string })
  | (DatabaseTarget & {
      readonly format: 'delta' | 'iceberg'
      /** The folder of a table, or its address in a catalog, with `{table}` for its name. */
      readonly path: string
      /** Null if `check` or `plan` ran without its variables; undefined for tables by path. */
      readonly catalog?: CatalogAccess | null | undefined
      readonly compression: ParquetCompression
      readonly deletes: Deletes
      readonly changeFeed: boolean
    })

export type ServerPlan = Extract<DatabasePlan, { readonly url: unknown }>

export function isServerPlan(plan: DatabasePlan): plan is ServerPlan {
  return isServer(plan.format)
}

export type LakePlan = Extract<DatabasePlan, { readonly compression: unknown }>

export function isLakePlan(plan: DatabasePlan): plan is LakePlan {
  return plan.format === 'delta' || plan.format === 'iceberg'
}

/** The name of an output beside others of a pipeline: `postgres, schema "catalogue"`. */
export function nameDatabase(plan: DatabasePlan): string {
  return isLakePlan(plan) ? `${plan.format}, ${plan.path}` : `${plan.format}, schema "${plan.schema}"`
}

/** What becomes of deleted rows of data files: the files are written anew without them, or the table lists them. */
export type Deletes = 'rewrite' | 'vectors'

/** What takes the place of `{table}` in the path of a lake's own state. */
export function lakeStateName(pipeline: string): string {
  return `_catalogue_etl/${pipeline}`
}
