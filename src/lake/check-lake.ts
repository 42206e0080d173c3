import type { TargetState } from '../loads/databases/database-output.ts'
import { CatalogueError } from '../errors.ts'
import type { RowDifference } from '../manifest/manifest.ts'
import type { KeyedTable } from '../plan/loads/stateful-plan.ts'
import { lakeStateName } from '../plan/outputs/database-plan.ts'
import { joinPath } from '../storage/paths.ts'
import { checkLakeColumns } from './check-columns.ts'
import { selectFiles } from './data-files.ts'
import { findBaseline, type TableBaselineFiles, toBaseline } from './find-baseline.ts'
import {
  type Commit,
  type DataFile,
  formatFields,
  type LakeSession,
  type TableLog,
  type TableSnapshot,
} from './lake-format.ts'
import { type LakeOutputPlan, listLakeColumns } from './lake-plan.ts'
import { type LakeState, parseLakeState } from './lake-state.ts'

/** A table of the lake, and what a load begins with. */
export interface CheckedTable {
  readonly folder: string
  /** Null if there is no table. */
  readonly log: TableLog | null
  /** Null if nothing is known of the table, or what is known is gone: then a full load writes all rows. */
  readonly baseline: TableBaselineFiles | null
  /** Why there is no baseline; null if there is one. */
  readonly lost: string | null
}

export interface CheckedLake extends TargetState {
  readonly last: LakeState | null
  readonly tables: readonly CheckedTable[]
  readonly state: CheckedTable
  /** Tables that others have changed since the last load, which this one brings back to what it was. */
  readonly changed: readonly string[]
}

/**
 * Reads the state and the logs of all tables, and decides with which files a load begins. Throws TARGET_MISMATCH for tables that
 * are not ours, have features or columns that loads can't write, or have lost what no load can bring back.
 */
export async function checkLake(
  session: LakeSession,
  plan: LakeOutputPlan,
  configHash: string,
  onWarning?: (message: string) => void,
): Promise<CheckedLake> {
  const state = await checkState(session, plan, onWarning)
  // A catalog's table is there before its first commit.
  const isNew = state.log === null || (state.log.isFromStart && state.log.commits.length === 0)
  const last = isNew ? null : readState(state.folder, state.log.newest)
  checkMode(plan, last)
  const tables: CheckedTable[] = []
  for (const table of plan.tables) tables.push(await checkLakeTable(session, plan, table, last, onWarning))
  const reasons = plan.tables.flatMap(({ name }, at) => {
    const { lost = null } = tables[at] ?? {}
    return lost === null ? [] : [`table "${name}": ${lost}`]
  })
  const changed = plan.tables.flatMap(({ name }, at) => {
    const { log, baseline } = tables[at] as CheckedTable
    return log !== null && baseline !== null && log.commits.some(isForeign) ? [name] : []
  })
  const differences: RowDifference[] = []
  for (const name of changed) {
    const expected = last?.tables[name]?.rows ?? null
    const got = await countTable(session, tables[plan.tables.findIndex((table) => table.name === name)] as CheckedTable)
    if (expected !== null && got !== expected) differences.push({ table: name, expected, got })
  }
  const needsFull = findReasonForFull(last, configHash, reasons)
  return { last, tables, state, differences, needsFull, changed }
}

export async function checkLakeTable(
  session: LakeSession,
  plan: LakeOutputPlan,
  table: KeyedTable,
  last: LakeState | null,
  onWarning?: (message: string) => void,
): Promise<CheckedTable> {
  const folder = await session.format.findFolder(plan, table.name)
  const known = last?.tables[table.name] ?? null
  const { pipeline } = plan
  const log = await session.format.readLog(session, { folder, pipeline, version: known?.version ?? null, onWarning })
  if (log !== null) {
    session.format.checkTable(folder, log.newest, plan)
    checkLakeColumns(session.format, folder, log.newest, listLakeColumns(plan, table))
  }
  const lost = known === null ? 'it has no load of it yet' : await findLoss(session, folder, log, known)
  if (log !== null) checkSchema(folder, log)
  // A catalog says where tables are.
  if (log === null && session.format.create === undefined) await checkNoOther(session, folder)
  const behind = log && findStateBehind(log, last)
  if (behind !== null) checkReplaceable(folder, plan, behind, log)
  if (lost === null)
    return { folder, log, baseline: log && (await findBaseline(session, { folder, pipeline }, log)), lost }
  const isBegun = log !== null && isOrphan(log, last)
  if (!isBegun && (log !== null || known !== null)) checkReplaceable(folder, plan, lost, log)
  return { folder, log, baseline: null, lost }
}

/** As `checkLakeTable`, for the table of the state. */
export async function checkState(
  session: LakeSession,
  plan: LakeOutputPlan,
  onWarning: ((message: string) => void) | undefined,
): Promise<CheckedTable> {
  const folder = await session.format.findFolder(plan, lakeStateName(plan.pipeline))
  const log = await session.format.readLog(session, { folder, pipeline: plan.pipeline, version: null, onWarning })
  if (log === null) return { folder, log, baseline: null, lost: neverLoaded }
  session.format.checkTable(folder, log.newest, plan)
  const own = [...log.newest.files.values()]
  const missing = await findMissing(session, folder, own)
  if (missing !== null)
    throw new CatalogueError(
      'TARGET_MISMATCH',
      `${folder}: expected the data files of the state as they were written, got none, or another, at ${missing}`,
      {
        fix: 'Put the file back, from a backup for instance. Or move the folders of the state and of the tables away: the next run fills new ones.',
      },
    )
  return { folder, log, baseline: toBaseline(log.newest), lost: null }
}

function readState(folder: string, newest: TableSnapshot): LakeState {
  const state = parseLakeState(newest)
  if (state !== null) return state
  throw new CatalogueError(
    'TARGET_MISMATCH',
    `${folder}: expected the state of loads into the lake, got a table without it`,
    {
      fix: 'Restore the table to the version before (`RESTORE TABLE`), or use the version of catalogue-etl that wrote it.',
    },
  )
}

/** Snapshots and merges make the same tables; loads of other modes can't follow each other. */
function checkMode({ mode, target, pipeline }: LakeOutputPlan, last: LakeState | null): void {
  if (last === null || toKind(last.mode) === toKind(mode)) return
  const message = `${target.path}: these tables were loaded with \`mode: ${last.mode}\` (pipeline "${pipeline}"); this config says \`${mode}\``
  throw new CatalogueError('TARGET_MISMATCH', message, {
    fix: 'Name another path or namespace for this mode, or change the mode back.',
  })
}

function toKind(mode: LakeOutputPlan['mode']): LakeOutputPlan['mode'] {
  return mode === 'snapshot' ? 'merge' : mode
}

/** Why nothing can be built on what the last load left; null if it is all there. */
async function findLoss(
  session: LakeSession,
  folder: string,
  log: TableLog | null,
  known: NonNullable<LakeState['tables'][string]>,
): Promise<string | null> {
  if (log === null) return 'it is gone'
  if (log.newest.id !== known.id) return 'another table was put in its place'
  if (known.isLeft === true) return 'the config did not have it, and it missed loads'
  const { version } = log.newest
  if (log.asked === null && version < known.version)
    return `it is at version ${version}, and the last load left version ${known.version}: an older table was put in its place`
  if (log.asked === null) return `its log does not have version ${known.version} any more, which the last load left`
  const isMoved = log.commits.every(({ isRearranging }) => isRearranging)
  const missing = await findMissing(session, folder, [...(isMoved ? log.newest : log.asked).files.values()])
  return missing === null ? null : `a data file is gone, ${missing}`
}

/** Loads follow the one that the state names by one: why that is not so, if the state is gone or was put back to an earlier one. */
function findStateBehind({ commits }: TableLog, last: LakeState | null): string | null {
  const loads = commits.map(({ load }) => load ?? 0)
  const [latest, known] = [Math.max(0, ...loads), last?.load ?? 0]
  if (latest <= known + 1) return null
  return `it has load ${latest}, and the state of the lake ${last === null ? 'is gone' : `is that of load ${known}`}`
}

/** Throws TARGET_MISMATCH for a folder in which a table of another format is. */
async function checkNoOther({ format, storage }: LakeSession, folder: string): Promise<void> {
  const own = format.logFolder(folder)
  for (const [name, other] of Object.entries(logFolders)) {
    const path = joinPath(folder, name)
    if (path === own) continue
    for await (const _ of storage.list(path)) {
      const message = `${folder}: expected no table yet, got one of ${other}, whose folder ${name} is there`
      throw new CatalogueError('TARGET_MISMATCH', message, {
        fix: 'Name another path: tables of two formats in one folder would take each other for files that nobody needs.',
      })
    }
  }
}

const logFolders = { _delta_log: 'Delta', metadata: 'Iceberg' }

/** A table that killed runs have begun, and no load has finished. */
function isOrphan({ commits, isFromStart }: TableLog, last: LakeState | null): boolean {
  return isFromStart && commits.every(({ load, isRearranging }) => isRearranging || (load ?? 0) > (last?.load ?? 0))
}

/** A history can't be read again, and appended rows would come again. */
function checkReplaceable(folder: string, { mode }: LakeOutputPlan, lost: string, log: TableLog | null): void {
  if (mode === 'merge' || mode === 'snapshot') return
  if (log !== null && log.newest.files.size === 0) return
  const message = `${folder}: expected what the last load left, ${mode === 'history' ? 'with the versions of records' : 'with the rows of all runs'}, but ${lost}`
  throw new CatalogueError('TARGET_MISMATCH', message, {
    fix: 'Put back what is missing, from a backup for instance. Or name another path or namespace: the next run fills new tables, without the earlier rows.',
  })
}

/** A schema that no load has written can't be kept to. */
function checkSchema(folder: string, { asked, newest, commits }: TableLog): void {
  if (asked === null) return
  const foreign = commits.filter(({ load, changesColumns }) => load === null && changesColumns)
  if (foreign.length === 0 || formatFields(asked.fields) === formatFields(newest.fields)) return
  const versions = foreign.map(({ version }) => version).join(', ')
  throw new CatalogueError(
    'TARGET_MISMATCH',
    `${folder}: expected the columns that the last load left, got others since version ${versions}, by somebody else`,
    {
      fix: `Restore the table (\`RESTORE TABLE … TO VERSION AS OF ${asked.version}\`), or name another path or namespace.`,
    },
  )
}

/** Commits of loads that the state knows nothing of are those of runs that were killed before they committed their state. */
function isForeign({ load, isRearranging }: Commit): boolean {
  return load === null && !isRearranging
}

/** The first of the data files that is not there as it was written. */
async function findMissing(session: LakeSession, folder: string, files: readonly DataFile[]): Promise<string | null> {
  for await (const { path } of listDamaged(session, folder, files)) return path
  return null
}

/** The data files that are gone, or have another size than the log says. */
export async function* listDamaged(
  session: LakeSession,
  folder: string,
  files: Iterable<DataFile>,
): AsyncGenerator<{ readonly path: string; readonly expected: number; readonly bytes: number | null }> {
  for (const file of files) {
    const path = session.format.locate(folder, file)
    const bytes = await session.storage.sizeOf(path)
    if (bytes !== file.size) yield { path, expected: file.size, bytes }
    const deletions = session.format.locateDeletions(folder, file)
    const there = deletions && (await session.storage.sizeOf(deletions.path))
    if (deletions !== null && (there === null || there < deletions.leastBytes))
      yield { path: deletions.path, expected: deletions.leastBytes, bytes: there }
  }
}

/** Reads the files whose rows no statistics count. */
async function countTable(session: LakeSession, { folder, log }: CheckedTable): Promise<number> {
  const files = [...(log?.newest.files.values() ?? [])]
  const uncounted = files.filter(({ rows }) => rows === null)
  const counted = sumRows(files.filter((file) => !uncounted.includes(file))) ?? 0
  if (uncounted.length === 0) return counted
  const from = await selectFiles(session, folder, uncounted)
  const [[rows] = []] = await session.duckdb.readAll(`SELECT count(*)::INTEGER FROM ${from}`)
  return counted + Number(rows)
}

/** Null if the statistics of a file don't say. */
export function sumRows(files: readonly Pick<DataFile, 'rows'>[]): number | null {
  let sum = 0
  for (const { rows } of files) {
    if (rows === null) return null
    sum += rows
  }
  return sum
}

function findReasonForFull(last: LakeState | null, configHash: string, reasons: readonly string[]): string | null {
  if (last === null) return neverLoaded
  if (last.configHash !== configHash) return 'the last load had another config'
  return reasons.length === 0 ? null : reasons.join(', ')
}

const neverLoaded = 'the lake has no load of this pipeline yet'
