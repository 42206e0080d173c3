import type { CatalogAccess } from '../config/catalog-access.ts'
import type { ParquetCompression } from '../formats/parquet/page-compressor.ts'
import type { DatabaseOutputPlan } from '../loads/databases/database-output.ts'
import type { KeyedTable } from '../plan/loads/stateful-plan.ts'
import type { Deletes } from '../plan/outputs/database-plan.ts'
import { listModeColumns } from '../plan/outputs/output-mode.ts'
import type { Column } from '../records/flatten/column.ts'
import type { TableChange } from './lake-format.ts'
import { joinPath } from '../storage/paths.ts'

/** The tables of a pipeline in one lake. Plain data. */
export interface LakeOutputPlan extends Omit<DatabaseOutputPlan, 'target'> {
  readonly target: {
    readonly format: 'delta' | 'iceberg'
    /** The folder of a table, or its address in a catalog, with `{table}` for its name. */
    readonly path: string
    readonly catalog?: CatalogAccess | undefined
    readonly compression: ParquetCompression
    readonly deletes: Deletes
    /** Whether tables of Delta have a change feed. Default: false. */
    readonly changeFeed?: boolean | undefined
  }
}

/** Where the tables of a lake are. */
export type LakePlace = Pick<LakeOutputPlan['target'], 'format' | 'path' | 'catalog'>

export function tableFolder({ target }: { readonly target: Pick<LakePlace, 'path'> }, table: string): string {
  return target.path.replaceAll('{table}', table)
}

export function describeState({ pipeline }: Pick<LakeOutputPlan, 'pipeline'>): TableChange['descriptions'] {
  return { table: `State of the pipeline "${pipeline}"`, columns: {} }
}

/** The folder of a table's change feed, by the name that vacuums of other engines know. */
export function feedFolder(folder: string): string {
  return joinPath(folder, '_change_data')
}

/** The columns that a load writes: of the table, former ones that the mode keeps, and those of the mode. */
export function listLakeColumns(
  plan: Pick<LakeOutputPlan, 'mode' | 'removed'>,
  { columns, formerColumns = [] }: KeyedTable,
): Column[] {
  return [...columns, ...(keepsFormerColumns(plan) ? formerColumns : []), ...listModeColumns(plan)]
}

/** Whether the rows of earlier loads keep columns that the config no longer has. */
export function keepsFormerColumns({ mode }: Pick<LakeOutputPlan, 'mode'>): boolean {
  return mode === 'history' || mode === 'append'
}

/** What becomes of deleted rows: rows of other modes are not deleted one by one. */
export function deletesOf({ mode, target }: Pick<LakeOutputPlan, 'mode' | 'target'>): Deletes {
  return mode === 'merge' || mode === 'history' ? target.deletes : 'rewrite'
}

/** The columns as the data files have them: with times in microseconds. */
export function toLakeColumn(column: Column): Column {
  return column.type.kind === 'timestamp' ? { ...column, type: { kind: 'timestamp', isMicro: true } } : column
}

/** Identifies our transactions in the log of a table. */
export function applicationId(pipeline: string): string {
  return `catalogue-etl/${pipeline}`
}

/** The property of a table that says which pipeline it belongs to. */
export const pipelineProperty = 'catalogue-etl.pipeline'
export const stateProperty = 'catalogue-etl.state'
/** Says of a change feed that a load has turned it on, and may turn it off. */
export const feedProperty = 'catalogue-etl.change_feed'
