import { CatalogueError, toCatalogueError } from '../errors.ts'
import { lakeStateName } from '../plan/outputs/database-plan.ts'
import { toRelativePath } from '../storage/paths.ts'
import type { ListedFile, ListedUpload } from '../storage/file-storage.ts'
import type { LakeSession, RetainedFiles, TableLog } from './lake-format.ts'
import type { LakeOutputPlan } from './lake-plan.ts'
import { type LakeOptions, openLakeSession } from './lake-session.ts'
import { parseLakeState } from './lake-state.ts'
import { pause, tooBusy } from './put-version.ts'

export interface VacuumOptions extends LakeOptions {
  /** In milliseconds. Files stay that a version has needed in this time, and that were written in it. */
  readonly olderThan: number
  /** Whether nothing is removed. */
  readonly dryRun: boolean
  /** Unique to the work. */
  readonly token: string
  readonly now: () => number
}

type VacuumedPlan = Pick<LakeOutputPlan, 'target' | 'pipeline' | 'tables'>

/** What was removed of a table, or would be. */
export interface VacuumedTable {
  readonly name: string
  readonly folder: string
  readonly files: number
  readonly bytes: number
  /** Uploads that nobody has finished, in a bucket. */
  readonly uploads: number
}

/**
 * Removes the files that no version of a table needs which was the newest at some time since, nor the one that the state names: those
 * of earlier versions, and those that killed runs have left. Throws TARGET_MISMATCH for tables that are not of this pipeline.
 */
export async function vacuumLake(plan: VacuumedPlan, options: VacuumOptions): Promise<VacuumedTable[]> {
  const session = await openLakeSession(plan, options)
  try {
    const { pipeline } = plan
    const stateName = lakeStateName(pipeline)
    const stateFolder = await session.format.findFolder(plan, stateName)
    const state = await session.format.readLog(session, { folder: stateFolder, pipeline, version: null })
    const known = (state && parseLakeState(state.newest)?.tables) ?? {}
    const names = new Set([...plan.tables.map(({ name }) => name), ...Object.keys(known), stateName])
    const vacuumed: VacuumedTable[] = []
    for (const name of names) {
      const table = { name, folder: await session.format.findFolder(plan, name), version: known[name]?.version ?? null }
      const found = await vacuumTable(session, plan, table, options)
      if (found !== null) vacuumed.push(found)
    }
    return vacuumed
  } finally {
    await session.close()
  }
}

interface KnownTable {
  readonly name: string
  readonly folder: string
  /** The version that the state names; null if it names none. */
  readonly version: number | null
}

/** Null if there is no table. */
async function vacuumTable(
  session: LakeSession,
  plan: VacuumedPlan,
  table: KnownTable,
  options: VacuumOptions,
): Promise<VacuumedTable | null> {
  const { signal, dryRun } = options
  const { name, folder } = table
  const before = options.now() - options.olderThan
  const unneeded = await findUnneeded(session, plan, { ...table, before }, options)
  if (unneeded === null) return null
  const uploads = await listUploads(session, folder, before, options)
  for (const { path } of dryRun ? [] : unneeded) {
    signal?.throwIfAborted()
    await session.storage.remove(path)
  }
  for (const { abort } of dryRun ? [] : uploads) await abort()
  const bytes = unneeded.reduce((sum, file) => sum + file.bytes, 0)
  return { name, folder, files: unneeded.length, bytes, uploads: uploads.length }
}

/** Lists files to remove; if another commit comes first, anew on the newer version. Null if there is no table. */
async function findUnneeded(
  session: LakeSession,
  { pipeline }: VacuumedPlan,
  { folder, version, before }: KnownTable & { readonly before: number },
  options: VacuumOptions,
): Promise<readonly ListedFile[] | null> {
  const { onWarning, dryRun, token, now, signal } = options
  for (let attempt = 1; ; attempt++) {
    const log = await session.format.readLog(session, { folder, pipeline, version, onWarning })
    if (log === null) return null
    session.format.checkTable(folder, log.newest, { pipeline })
    // Listed before the decision: what is written later is never removed.
    const there = await listTable(session, folder, log)
    const retention = { folder, version, log, before, dryRun, token, now: now(), onWarning }
    const retained = await session.format.retain(session, retention)
    if (retained !== null) return choose(session, folder, there, { ...retained, before })
    if (attempt === mostAttempts) throw tooBusy(folder, attempt)
    await pause(attempt, signal)
  }
}

const mostAttempts = 5

/** Throws TARGET_MISMATCH if files of the newest version are missing. */
async function listTable(
  { storage, format }: LakeSession,
  folder: string,
  { newest }: TableLog,
): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  for await (const file of storage.list(folder)) files.push(file)
  const paths = new Set(files.map(({ path }) => path))
  const missing = [...newest.files.values()].map((file) => format.locate(folder, file)).find((path) => !paths.has(path))
  if (missing === undefined) return files
  const message = `${folder}: expected the files of the newest version, got none at ${missing}`
  throw new CatalogueError('TARGET_MISMATCH', message, {
    fix: 'Nothing was removed. `catalogue-etl verify CONFIG` names what is missing; the next run may write it anew.',
  })
}

/** What names other files comes first: a kill then leaves files that nothing names, not names of files that are gone. */
function choose(
  { format }: LakeSession,
  folder: string,
  there: readonly ListedFile[],
  { needed, owns, before }: RetainedFiles & { readonly before: number },
): ListedFile[] {
  const unneeded = there.filter(({ path, modifiedAt }) => {
    if (needed.has(path) || modifiedAt.getTime() >= before) return false
    const below = toRelativePath(folder, path)
    return below !== null && owns(below.replaceAll('\\', '/'))
  })
  const log = format.logFolder(folder)
  const rank = ({ path }: ListedFile) => (path.startsWith(log) ? (path.endsWith('.json') ? 0 : 1) : 2)
  return unneeded.toSorted((one, other) => rank(one) - rank(other))
}

async function listUploads(
  { storage }: LakeSession,
  folder: string,
  before: number,
  { onWarning }: VacuumOptions,
): Promise<readonly ListedUpload[]> {
  const uploads: ListedUpload[] = []
  try {
    for await (const upload of storage.listUploads(folder)) if (upload.begunAt.getTime() < before) uploads.push(upload)
  } catch (thrown) {
    // Not all storages can list them, and not all credentials may.
    onWarning?.(`${folder}: uploads of killed runs can't be listed: ${toCatalogueError(thrown).message}`)
  }
  return uploads
}
