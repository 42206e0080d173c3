import { CatalogueError } from '../../errors.ts'
import { readPublishedManifest } from '../../loads/state/read-manifest.ts'
import type { PublishedManifest } from '../../loads/state/published-state.ts'
import type { RunProfile } from '../../profile/run-profile.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { openStorage } from '../../publish/open-storage.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { checkTables, type ProfileSelection, selectColumns } from './profile-selection.ts'
import { profileTable } from './profile-table.ts'
import { openPublishedTables, type ProfiledPlan } from './published-tables.ts'
import { withDuckdb } from './with-duckdb.ts'

export interface ProfileOptions extends ProfileSelection, RequiredContext<'env'>, Pick<RunContext, 'signal'> {}

/**
 * The profile of what the last run of a pipeline published, with exact counts of all values. Only reads. Throws
 * SOURCE_NOT_FOUND where nothing is published, SOURCE_CHANGED where it is not as it was published, USAGE for tables and
 * columns that it does not have, and what `withDuckdb` throws.
 */
export async function profilePipeline(plan: ProfiledPlan, options: ProfileOptions): Promise<RunProfile> {
  const { tables: wanted, signal, env } = options
  const names = plan.records.tables.map(({ name }) => name)
  checkTables(options, names)
  return withDuckdb(plan.name, { signal }, async ({ duckdb, folder }) => {
    const storage = await openStorage(plan.manifest.path, env)
    try {
      const published = await readPublished(plan, storage)
      const isWanted = (name: string) => wanted === undefined || wanted.includes(name)
      const found = await openPublishedTables(plan, published, { duckdb, storage, folder }, isWanted)
      if (found.length === 0) throw nothingReadable(plan)
      const tables = []
      for (const table of selectColumns(found, options)) tables.push(await profileTable(duckdb, table))
      return { version: 1, pipeline: plan.name, runId: published.runId ?? '', tables, localized: [] }
    } finally {
      await storage.close()
    }
  })
}

async function readPublished({ name, manifest }: ProfiledPlan, storage: FileStorage): Promise<PublishedManifest> {
  const published = await readPublishedManifest(manifest.path, name, storage)
  if (published !== null) return published
  const message = `${manifest.path}: expected the manifest of a published run, got no file`
  throw new CatalogueError('SOURCE_NOT_FOUND', message, {
    title: 'Nothing is published yet',
    fix: 'Run the pipeline first: `catalogue-etl run CONFIG`, with the same `--out`.',
  })
}

function nothingReadable({ name }: ProfiledPlan): CatalogueError {
  const message = `${name}: expected tables in Parquet, CSV or NDJSON files or in a DuckDB database, got none`
  return new CatalogueError('SOURCE_NOT_FOUND', message, {
    title: 'Nothing that can be profiled is published',
    fix: 'Add an output such as { format: parquet }, and run the pipeline again.',
  })
}
