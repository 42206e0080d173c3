import type { Column } from '../../records/flatten/column.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { CountLimit } from '../count-limit.ts'
import type { DatabasePlan } from '../outputs/database-plan.ts'

/** The requests for what has changed since the last run. */
export interface IncrementalPlan {
  /** How much earlier than the start of the last published run. */
  readonly overlapMs: number
  /** After this long everything is read again. */
  readonly fullEveryMs: number
  /** The filter of a delta, in the form of a request, but for `updatedSince`: all statuses. Null over files. */
  readonly filter: unknown
  /** Conditions in the filter of a full run that are not in that of a delta: a record that fails them has left the filter. */
  readonly where: readonly Condition[]
}

/** A table with the columns that identify its rows. */
export interface KeyedTable {
  readonly name: string
  readonly columns: readonly Column[]
  /** The column that holds the record's id: text, never null. */
  readonly idColumn: string
  /** The columns that number the rows of one record, the outermost first; none where a record has one row. */
  readonly positionColumns: readonly string[]
  /**
   * Columns that versions of a history have and the table has no more, as the config lost or renamed them. They come behind
   * its own, and are null in the versions of later records. Default none.
   */
  readonly formerColumns?: readonly Column[] | undefined
}

/** The part of a plan whose outputs depend on what earlier runs published. */
export interface StatefulPlan {
  /** The field of a record's last change, `meta.updatedAt`; null where the contract has none. */
  readonly cursor: string | null
  /** Null where every run reads everything. */
  readonly incremental: IncrementalPlan | null
  /** How many of the records known so far a run may find gone. */
  readonly maxRemoved: CountLimit
  /** `_records`: one row a record, see record-table.ts. It is no table of the config, and no part of `records.tables`. */
  readonly recordTable: TablePlan
  /** In the order of `records.tables`. */
  readonly tables: readonly KeyedTable[]
  readonly databases: readonly DatabasePlan[]
}
