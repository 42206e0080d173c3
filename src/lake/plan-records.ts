import { join } from 'node:path'
import type { Column } from '../records/flatten/column.ts'
import { recordColumns } from '../records/record-table.ts'
import { openRecordSet } from '../loads/files/row-queries.ts'
import { quoteText } from '../loads/files/sql-text.ts'
import type { Load } from '../loads/merge-result.ts'
import type { CheckedTable } from './check-lake.ts'
import { selectRows } from './data-files.ts'
import type { LakeSession } from './lake-format.ts'
import { noFiles } from './plan-files.ts'
import { type PlannedTable, type RowsTarget, writeRows } from './plan-table.ts'
import { toLakeColumn } from './lake-plan.ts'

/** The records of the state as one local file, which a load is compared with; null if there is none. */
export async function bringRecords(session: LakeSession, { folder, baseline }: CheckedTable): Promise<string | null> {
  const own = baseline?.own ?? []
  const [file] = own
  if (file === undefined) return null
  if (own.length === 1 && file.deleted === 0) return session.toLocal(session.format.locate(folder, file))
  const joined = join(session.folder, 'records.parquet')
  const rows = await selectRows(session, folder, own)
  await session.duckdb.run(`COPY (FROM ${rows}) TO ${quoteText(joined)} (FORMAT parquet)`)
  return joined
}

/** Writes the records of the state, unless they are as they were. */
export async function planRecords(
  target: RowsTarget,
  load: Load,
  { baseline }: Pick<CheckedTable, 'baseline'>,
  records: string | null,
  isSame: boolean,
): Promise<PlannedTable> {
  if (isSame) return { kept: baseline?.own ?? [], deletions: new Map(), added: [], written: [], rowsWritten: 0 }
  const set = await openRecordSet(target.session.duckdb, load, records)
  return writeRows(target, { ...set, columns: set.columns.map(toLakeColumn) }, noFiles)
}

export const stateColumns: readonly Column[] = [
  ...recordColumns,
  { name: 'valid_from', type: { kind: 'timestamp' }, list: false },
  { name: 'removed_at', type: { kind: 'timestamp' }, list: false },
]
