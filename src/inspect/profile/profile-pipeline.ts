import type { LocalizedProfile, RunProfile } from '../../kernel/profile/run-profile.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { readProfile } from '../../engine/outputs/read-profile.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { checkTables, isWanted, type ProfileSelection } from './profile-selection.ts'
import { profileTables } from './profile-table.ts'
import { nonePublished, openPublishedTables, type ProfiledPlan } from './published-tables.ts'
import { withDuckdb } from './with-duckdb.ts'
import { requireManifest } from '../../manifest/read-manifest.ts'

export interface ProfileOptions extends ProfileSelection, RequiredContext<'env'>, Pick<RunContext, 'signal'> {}

/**
 * Profiles what the last run of a pipeline published, with exact counts of all values. Only reads. Throws
 * SOURCE_NOT_FOUND if nothing is published, SOURCE_CHANGED if a file is not as published, USAGE for unknown tables and
 * columns, and errors of `withDuckdb`.
 */
export async function profilePipeline(plan: ProfiledPlan, options: ProfileOptions): Promise<RunProfile> {
  const { signal, env } = options
  const {
    name,
    records,
    report: { manifest },
  } = plan
  checkTables(
    options,
    records.tables.map((table) => table.name),
  )
  return withDuckdb(name, { signal }, async ({ duckdb, folder }) => {
    const storage = await openStorage(manifest.path, env)
    try {
      const published = await requireManifest(manifest.path, name, storage)
      const { runId = '' } = published
      const found = await openPublishedTables(plan, published, { duckdb, storage, folder, env }, options)
      if (found.length === 0) throw nonePublished(plan, published)
      const tables = await profileTables(duckdb, found, { columns: options.columns })
      const localized = (await readLocalized(plan.report, runId, storage)).filter(({ table }) =>
        isWanted(options, table),
      )
      return { version: 1, pipeline: name, runId, tables, localized }
    } finally {
      await storage.close()
    }
  })
}

/**
 * Reads the locales from the run's own profile, as rows don't show which locale filled a column. Empty without that
 * profile.
 */
export async function readLocalized(
  report: ReportPlan,
  runId: string,
  storage: Pick<FileStorage, 'read'>,
): Promise<LocalizedProfile[]> {
  const { profile } = await readProfile(report.profile, runId, storage)
  return profile?.localized ?? []
}
