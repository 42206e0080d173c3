import { verifyAnyTarget } from '../../lake/open-target.ts'
import type { TableDifference, VerifiedTarget } from '../../loads/databases/verify-target.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import { toOutputPlan } from '../../engine/outputs/database-targets.ts'
import { interrupted } from '../../errors.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { Verification } from './verification.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { verifyFiles } from './verify-files.ts'

export interface VerifyOptions extends Pick<RunContext, 'env' | 'signal'> {
  /** Longest wait for an unfinished publication, in milliseconds. Default 30 s. */
  readonly publicationWaitMs?: number | undefined
}

/**
 * Compares what the last run published with what is there: files by size and SHA-256, database tables by the rows and
 * records in the database's own state. Only reads and takes no lock; if a run publishes meanwhile, compares again.
 * Throws STATE_INVALID for an unreadable manifest, and errors of storages and databases.
 */
export async function verifyPipeline(plan: PipelinePlan, options: VerifyOptions = {}): Promise<Verification> {
  const { env = process.env, signal, publicationWaitMs = 30_000 } = options
  const storage = await openStorage(plan.report.manifest.path, env)
  try {
    const files = await verifyFiles(plan.name, plan.outputs, plan.report, storage, { signal, publicationWaitMs })
    signal?.throwIfAborted()
    const databases =
      plan.outputs.stateful === null
        ? []
        : await verifyDatabases(plan.name, plan.records, plan.outputs.stateful, files.loadedAt, env)
    const differences = [...files.differences, ...databases.flatMap((database) => database.differences)]
    return {
      ok: differences.length === 0,
      pipeline: plan.name,
      manifest: plan.report.manifest.path,
      runId: files.runId,
      publishedAt: files.publishedAt,
      files: files.files,
      bytes: files.bytes,
      databases: databases.map(({ target, tables }) => ({ target, tables: [...tables] })),
      differences,
    }
  } catch (thrown) {
    if (signal?.aborted !== true) throw thrown
    throw interrupted(`${plan.name}: the comparison`, { cause: thrown })
  } finally {
    await storage.close()
  }
}

interface VerifiedDatabase {
  readonly target: string
  readonly tables: VerifiedTarget['tables']
  readonly differences: readonly (Omit<TableDifference, 'table'> & { readonly where: string })[]
}

async function verifyDatabases(
  name: string,
  records: RecordsPlan,
  { databases, tables }: StatefulPlan,
  loadedAt: string | null,
  env: RequiredContext<'env'>['env'],
): Promise<VerifiedDatabase[]> {
  const recordTables = new Set(
    records.tables.filter(({ each, where }) => each.length === 0 && where.length === 0).map((table) => table.name),
  )
  const verified: VerifiedDatabase[] = []
  for (const database of databases) {
    const found = await verifyAnyTarget({ ...toOutputPlan(name, tables, database), recordTables }, { env })
    const differences = found.differences.map(({ table, ...difference }) => {
      return { ...difference, where: table === null ? found.shown : `${found.shown}, table "${table}"` }
    })
    const last = found.startedAt?.toISOString()
    if (last !== undefined && loadedAt !== null && last < loadedAt) {
      const expected = `the load of the last run, of ${loadedAt}`
      const got = `a last load of ${last}: an older database was put in its place; the next run reads everything`
      differences.push({ kind: 'changed', where: found.shown, expected, got })
    }
    verified.push({ target: found.shown, tables: found.tables, differences })
  }
  return verified
}
