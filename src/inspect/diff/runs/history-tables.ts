import { openStorage } from '../../../storage/open-storage.ts'
import { formatMoment } from '../../history/as-of.ts'
import { type AsOfAccess, openAsOf } from '../../history/open-as-of.ts'
import type { HistorySide } from '../recognize-side.ts'
import { chooseKey } from './row-key.ts'
import type { ComparedRun } from './run-tables.ts'

/** Opens the tables of a pipeline as they were at a moment, as a run of that moment. Throws as `openAsOf`. */
export async function openHistory(
  { path, plan, asOf }: HistorySide,
  access: Omit<AsOfAccess, 'storage'>,
): Promise<ComparedRun> {
  const storage = await openStorage(plan.report.manifest.path, access.env, { settings: plan.outputs.s3 })
  try {
    const { tables } = await openAsOf(plan, asOf, { ...access, storage })
    return {
      path,
      kind: 'history',
      files: [],
      finishedAt: formatMoment(asOf.at),
      contract: plan.records.contract,
      tables: tables.map((table) => ({ ...table, key: chooseKey(table.columns, table.places) })),
    }
  } finally {
    await storage.close()
  }
}
