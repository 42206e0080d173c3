import type { Column } from '../../records/flatten/column.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { CountLimit } from '../count-limit.ts'
import type { DatabasePlan } from '../outputs/database-plan.ts'

export interface IncrementalPlan {
  /** Deltas ask for changes since the start of the last published run, minus this overlap. */
  readonly overlapMs: number
  /** Longest time between two full reads. */
  readonly fullEveryMs: number
  /** Filter of a delta's request without `updatedSince`, for all statuses. Null for files. */
  readonly filter: unknown
  /** Conditions that only the filter of a full run has. A record of a delta that fails them has left the filter. */
  readonly where: readonly Condition[]
}

export interface KeyedTable {
  readonly name: string
  readonly columns: readonly Column[]
  /** The column of the record's id: text, never null. */
  readonly idColumn: string
  /** Columns that number the rows of one record, the outermost first; empty if a record has one row. */
  readonly positionColumns: readonly string[]
  /** The column of the record's status, if the table has it. */
  readonly statusColumn?: string | undefined
  /**
   * Columns in older versions of a history that the config has since dropped or renamed. They come after the table's
   * own and are null in later versions.
   */
  readonly formerColumns?: readonly Column[] | undefined
  /** For `builtin: price_periods`: no load has its rows. */
  readonly periodsOf?: PricedHistory | undefined
}

/** The history that the periods of prices are made of. */
export interface PricedHistory {
  /** Position in the tables. */
  readonly table: number
  readonly idColumn: string
  readonly priceColumn: string
  /** As the interface documents it; null if that differs by record. */
  readonly unit: string | null
}

/** The part of a plan that depends on what earlier runs published. */
export interface StatefulPlan {
  /** The field of a record's last change, by default `meta.updatedAt`; null if the contract has none. */
  readonly cursor: string | null
  /** Null if every run reads everything. */
  readonly incremental: IncrementalPlan | null
  /** Limit of the known records that a run may find removed. */
  readonly maxRemoved: CountLimit
  /** `_records`: one row per record, see record-table.ts. It is not part of the config or of `records.tables`. */
  readonly recordTable: TablePlan
  readonly tables: readonly KeyedTable[]
  readonly databases: readonly DatabasePlan[]
}
