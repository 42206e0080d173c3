import type { Column } from '../records/flatten/column.ts'
import { recordColumns } from '../records/record-table.ts'
import { openRecordSet } from '../loads/files/row-queries.ts'
import type { Load } from '../loads/merge-result.ts'
import type { CheckedTable } from './check-lake.ts'
import { type RowsTarget, selectFiles } from './data-files.ts'
import type { LakeSession } from './lake-format.ts'
import { noFiles, planFiles } from './plan-files.ts'
import { nothingPlanned, type PlannedTable, writeRows } from './plan-table.ts'
import { type LakeOutputPlan, toLakeColumn } from './lake-plan.ts'

/** The records of the state, which a load is compared with, as SQL that may follow FROM; null if there is none. */
export async function selectRecords(session: LakeSession, { folder, baseline }: CheckedTable): Promise<string | null> {
  const own = baseline?.own ?? []
  return own.length === 0 ? null : selectFiles(session, folder, own)
}

/** Writes the records of the state that changed. */
export async function planRecords(
  target: RowsTarget,
  load: Pick<Load, 'records'>,
  checked: CheckedTable,
  { isSame, deletes }: { readonly isSame: boolean; readonly deletes: LakeOutputPlan['target']['deletes'] },
): Promise<PlannedTable> {
  const { folder, baseline } = checked
  if (isSame) return { ...nothingPlanned, kept: baseline?.own ?? [] }
  const records = await selectRecords(target.session, checked)
  const set = await openRecordSet(target.session.duckdb, load, records, folder)
  const columns = set.columns.map(toLakeColumn)
  const { mode, rewritesAll, table } = set
  const files =
    baseline === null
      ? noFiles
      : await planFiles({ target, mode, rewritesAll, columns, records, deletes, idColumn: table.idColumn }, baseline)
  const rewrittenFiles = (baseline?.own ?? []).flatMap((file, at) => (files.rewritten.has(file) ? [at] : []))
  return writeRows(target, { ...set, columns, rewrittenFiles }, files)
}

export const stateColumns: readonly Column[] = [
  ...recordColumns,
  { name: 'valid_from', type: { kind: 'timestamp' }, list: false },
  { name: 'removed_at', type: { kind: 'timestamp' }, list: false },
]
