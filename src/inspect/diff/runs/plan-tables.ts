import { quoteName } from '../../../loads/files/sql-text.ts'
import { requireManifest } from '../../../manifest/read-manifest.ts'
import type { RequiredContext } from '../../../run-context.ts'
import { openStorage } from '../../../storage/open-storage.ts'
import { openPublishedTables } from '../../profile/published-tables.ts'
import type { ReadableTable } from '../../profile/readable-table.ts'
import type { Workbench } from '../../profile/with-duckdb.ts'
import { listPublished, type PublishedTable } from '../../sql/published-table.ts'
import type { PlanSide } from '../recognize-side.ts'
import { chooseKey } from './row-key.ts'
import type { ComparedRun, RunTable } from './run-tables.ts'

/**
 * Opens what the last run of a config published, wherever it is, with the rows that are current: of a history the valid
 * versions, of appended rows those of the last run. Throws SOURCE_NOT_FOUND if nothing is published, and what opening throws.
 */
export async function openPlan(
  { path, plan }: PlanSide,
  { duckdb, folder }: Workbench,
  env: RequiredContext<'env'>['env'],
): Promise<ComparedRun> {
  const manifestPath = plan.report.manifest.path
  const storage = await openStorage(manifestPath, env, { settings: plan.outputs.s3 })
  try {
    const published = await requireManifest(manifestPath, plan.name, storage)
    const known = new Map(listPublished(plan, published).map((table) => [table.name, table]))
    const opened = await openPublishedTables(plan, published, { duckdb, storage, folder, env }, {})
    return {
      path,
      kind: 'run',
      files: published.files.map((file) => file.path),
      finishedAt: published.finishedAt ?? null,
      contract: published.contract?.name ?? null,
      tables: opened.map((table) => toCurrent(table, known.get(table.name))),
    }
  } finally {
    await storage.close()
  }
}

/** A table without rows that are no longer valid, and without the columns that its mode adds. */
function toCurrent(table: ReadableTable, known: PublishedTable | undefined): RunTable {
  const places = new Map((known?.columns ?? []).flatMap(({ name, from }) => (from === '' ? [] : [[name, from]])))
  const columns = table.columns.filter(({ name }) => places.has(name))
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  const where = known?.current === null || known === undefined ? '' : ` WHERE ${known.current}`
  return {
    ...table,
    from: `(SELECT ${names} FROM ${table.from}${where})`,
    columns,
    places,
    key: chooseKey(columns, places),
  }
}
