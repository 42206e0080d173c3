import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { PublishedState, StateTable } from '../../manifest/manifest.ts'

/**
 * Sorts the tables of the state by the plan: tables that the plan no longer has are left, and a left table that it has
 * again is behind the records. A left table whose files are gone begins anew.
 */
export async function sortTables(
  records: RecordsPlan,
  { files }: OutputsPlan,
  state: PublishedState,
  storage: Pick<FileStorage, 'sizeOf'>,
): Promise<PublishedState> {
  const held = new Set(files.map(({ table, mode }) => `${mode} ${records.tables[table]?.name}`))
  const isHeld = ({ table, mode }: StateTable) => held.has(`${mode} ${table}`)
  const before = state.leftTables ?? []
  const back: StateTable[] = []
  for (const table of before.filter(isHeld)) {
    if (await isThere(table, storage)) back.push({ ...table, isBehind: true })
  }
  return {
    ...state,
    tables: [...state.tables.filter(isHeld), ...back],
    leftTables: [...state.tables, ...before].filter((table) => !isHeld(table)),
  }
}

async function isThere({ files }: StateTable, storage: Pick<FileStorage, 'sizeOf'>): Promise<boolean> {
  for (const { path } of files) if ((await storage.sizeOf(path)) === null) return false
  return true
}
