import { randomBytes, randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import type {
  DatabaseChanges,
  DatabaseLoad,
  DatabaseOutput,
  LoadStart,
  TargetState,
} from '../../loads/databases/database-output.ts'
import { checkJoin } from '../../loads/databases/check-target.ts'
import { createChanges, readChanges } from '../../loads/files/changes-table.ts'
import { openRecordSet } from '../../loads/files/row-queries.ts'
import { formatPaths, quoteText } from '../../loads/files/sql-text.ts'
import type { Load, LoadFiles } from '../../loads/merge-result.ts'
import type { KeyedTable } from '../../plan/loads/stateful-plan.ts'
import { allOrFirstFailure } from '../../storage/open-together.ts'
import { joinPath } from '../../storage/paths.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { refusedWith } from '../../storage/s3/storage-operation.ts'
import { parseStagedDestination } from '../../storage/staging-names.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import {
  type CheckedLake,
  type CheckedTable,
  checkLake,
  checkLakeTable,
  isOwn,
  sumRows,
  toDataPath,
} from './check-lake.ts'
import { commitChange, type TableChange, toTableChange } from './table-change.ts'
import { pause } from './commit-table.ts'
import { type LakeOutputPlan, stateFolderOf, tableFolder } from './lake-plan.ts'
import { type LakeOptions, type LakeSession, openLakeSession } from './lake-session.ts'
import { formatLakeState, type LakeState } from './lake-state.ts'
import { logFolder } from './log-files.ts'
import { type PlannedTable, planTable, type TableLoad, writeRows } from './plan-table.ts'
import { parseSchema, toLakeColumn } from './table-schema.ts'

/**
 * Loads the tables of a pipeline into a lake, each in one commit, then the state of the pipeline, which is a table beside them and
 * says what the lake holds. A load begins from the versions that the state names: what a killed run has committed since is undone
 * by the commit of the next.
 */
export async function openDeltaOutput(
  plan: LakeOutputPlan,
  start: LoadStart,
  options: LakeOptions = {},
): Promise<DatabaseOutput> {
  const session = await openLakeSession(plan.target.path, options)
  try {
    checkJoin(plan.target.path, await checkLake(session, plan, start.configHash, options.onWarning), start)
    if (isObjectPath(plan.target.path)) await probe(session, stateFolderOf(plan))
    else await clearStaging(session, plan, options.token)
    return new DeltaOutput(plan, session, options)
  } catch (thrown) {
    await session.close()
    throw thrown
  }
}

/** Reads the state of the lake, so that a run can choose what to ask the service for. */
export async function readDeltaState(
  plan: LakeOutputPlan,
  configHash: string,
  options: LakeOptions = {},
): Promise<TargetState> {
  const session = await openLakeSession(plan.target.path, options)
  try {
    const { last, differences, needsFull } = await checkLake(session, plan, configHash)
    return { last, differences, needsFull }
  } finally {
    await session.close()
  }
}

/** A table of a load, or the state. */
interface Work {
  readonly name: string
  readonly checked: CheckedTable
  readonly planned: PlannedTable
  readonly change: TableChange
}

class DeltaOutput implements DatabaseOutput {
  readonly shown: string
  readonly takes = 'parquet'
  readonly #plan: LakeOutputPlan
  readonly #session: LakeSession
  readonly #options: LakeOptions
  readonly #staged: StagedSet
  /** Identifies the commits of this load. */
  readonly #token: string
  /** Data files that no commit lists yet, and that no commit may list: they go with the load. */
  readonly #loose = new Set<string>()
  #load: {
    readonly lake: CheckedLake
    readonly facts: DatabaseLoad
    readonly files: LoadFiles
    records: string | null
  } | null = null
  #works: readonly Work[] = []

  constructor(plan: LakeOutputPlan, session: LakeSession, options: LakeOptions) {
    this.#plan = plan
    this.#session = session
    this.#options = options
    this.#token = options.token ?? randomBytes(6).toString('hex')
    this.#staged = new StagedSet({ storage: session.storage, token: this.#token })
    this.shown = plan.target.path
  }

  write(): Promise<void> {
    return Promise.reject(new TypeError('expected Parquet files at the end, got a piece'))
  }

  async finish(load: DatabaseLoad, files?: LoadFiles): Promise<DatabaseChanges> {
    if (files === undefined) throw new TypeError('expected Parquet files, got none')
    const { onWarning, signal } = this.#options
    const { duckdb } = this.#session
    // Checks again, as the lake may have been loaded or changed since.
    const lake = await checkLake(this.#session, this.#plan, load.configHash, onWarning)
    checkJoin(this.shown, lake, load)
    // A difference in rows is in the report.
    const counted = new Set(lake.differences.map(({ table }) => table))
    for (const name of lake.changed.filter((table) => !counted.has(table)))
      onWarning?.(
        `${this.shown}: others have changed rows of ${name} since the last load: its rows are as the loads left them again, and rows of others with other ids stay`,
      )
    const records = await this.#toRecordsFile(lake.state)
    this.#load = { lake, facts: load, files, records }
    const merged: Load = { ...files, kind: load.kind, startedAt: load.startedAt, runId: load.runId }
    await createChanges(duckdb, merged, records)
    const { changes, removedRecords } = await readChanges(duckdb, records, load.maxRemoved, this.shown)
    const works: Work[] = []
    for (const [at, { name }] of this.#plan.tables.entries()) {
      works.push(await this.#planTable(name, lake.tables[at] as CheckedTable))
      signal?.throwIfAborted()
    }
    const { unchanged: _, ...differences } = changes
    const isSame = lake.last !== null && Object.values(differences).every((count) => count === 0)
    const state = await this.#planRecords(merged, lake.state, isSame)
    this.#works = works
    this.#state = state
    return {
      changes,
      removedRecords,
      rowsWritten: works.map(({ planned }) => planned.rowsWritten),
      differences: lake.differences,
      foreignRows: null,
    }
  }

  #state: { readonly checked: CheckedTable; readonly planned: PlannedTable } | null = null

  async commit(): Promise<{ readonly versions: readonly number[] }> {
    const { lake, facts } = this.#requireLoad()
    const tables: Record<string, LakeState['tables'][string]> = {}
    for (const [name, known] of Object.entries(lake.last?.tables ?? {})) tables[name] = { ...known, isLeft: true }
    const versions: number[] = []
    let done: string | null = null
    try {
      for (const work of this.#works) {
        const { version, id, rows } = await this.#commitTable(work)
        tables[work.name] = { id, version, rows }
        versions.push(version)
        done = work.name
      }
      await this.#commitState({ ...toNextState(this.#plan, facts, lake.last), tables })
    } catch (thrown) {
      if (done === null || !(thrown instanceof CatalogueError)) throw thrown
      throw thrown.withOutputs(
        `Tables of the lake, up to "${done}", may hold this run already; the next one begins from what the last whole load left, and brings all together.`,
      )
    }
    return { versions }
  }

  async discard(): Promise<void> {
    try {
      await this.#staged.discard()
      await allOrFirstFailure([...this.#loose].map((path) => this.#session.storage.remove(path)))
      this.#loose.clear()
    } finally {
      await this.#session.close()
    }
  }

  async #planTable(name: string, checked: CheckedTable): Promise<Work> {
    const { lake, facts: load, files, records } = this.#requireLoad()
    const at = this.#plan.tables.findIndex((table) => table.name === name)
    const table = withFormerColumns(this.#plan, this.#plan.tables[at] as KeyedTable, checked)
    const isRefreshed = lake.last !== null && lake.last.configHash !== load.configHash && load.kind === 'full'
    const of: TableLoad = {
      session: this.#session,
      plan: this.#plan,
      load,
      table,
      loaded: files.tables[at] ?? '',
      loadedRecords: files.records,
      records,
      rewritesAll: isRefreshed,
      staged: this.#staged,
      metadata: toMetadata(this.#plan, load),
    }
    const planned = await planTable(of, checked)
    await this.#place(planned)
    const { meanings } = this.#plan
    const descriptions = { table: meanings?.[at]?.description ?? '', columns: meanings?.[at]?.columns ?? {} }
    const change = toTableChange(this.#plan, table, checked, planned, {
      token: this.#token,
      load: (lake.last?.load ?? 0) + 1,
      isRefreshed,
      descriptions,
    })
    return { name, checked, planned, change }
  }

  /** Writes the records of the state, unless they are as they were. */
  async #planRecords(
    merged: Load,
    checked: CheckedTable,
    isSame: boolean,
  ): Promise<{ checked: CheckedTable; planned: PlannedTable }> {
    const kept = checked.baseline?.own ?? []
    if (isSame) return { checked, planned: { kept, added: [], written: [], rowsWritten: 0 } }
    const { records, facts } = this.#requireLoad()
    const set = await openRecordSet(this.#session.duckdb, merged, records)
    const { session, staged } = { session: this.#session, staged: this.#staged }
    const { compression } = this.#plan.target
    const target = {
      session,
      staged,
      metadata: toMetadata(this.#plan, facts),
      runId: facts.runId,
      folder: checked.folder,
      compression,
    }
    const planned = await writeRows(target, { ...set, columns: set.columns.map(toLakeColumn) }, [])
    await this.#place(planned)
    return { checked, planned }
  }

  async #place({ written }: PlannedTable): Promise<void> {
    for (const { staged, sha256 } of written) {
      // Even if the answer is lost.
      this.#loose.add(staged.destination)
      await this.#session.storage.place({ path: staged.path, destination: staged.destination, sha256 })
    }
  }

  /** Commits a table; on a newer version plans again what others came before with. */
  async #commitTable(begun: Work): Promise<{ version: number; id: string; rows: number | null }> {
    const { lake } = this.#requireLoad()
    const { signal, onWarning } = this.#options
    let work = begun
    for (let attempt = 1; ; attempt++) {
      const committed = await this.#try(work.change, work.planned)
      if (committed !== null) return { ...committed, rows: sumRows([...work.planned.kept, ...work.planned.added]) }
      if (attempt === mostAttempts) throw tooBusy(work.checked.folder, attempt)
      await pause(attempt, signal)
      const table = this.#plan.tables.find(({ name }) => name === work.name) as KeyedTable
      const checked = await checkLakeTable(this.#session, this.#plan, table, lake.last, onWarning)
      const before = work.checked.log?.newest.version ?? -1
      const since = checked.log?.commits.filter(({ version }) => version > before) ?? []
      if (since.some((commit) => isOwn(this.#plan, commit))) throw anotherLoads(work.checked.folder)
      await this.#drop(work.planned)
      work = await this.#planTable(work.name, checked)
    }
  }

  async #commitState(state: LakeState): Promise<void> {
    const { checked, planned } = this.#state ?? {}
    if (checked === undefined || planned === undefined) throw new TypeError('committed before it was finished')
    const change = toTableChange(this.#plan, null, checked, planned, {
      token: this.#token,
      load: state.load,
      isRefreshed: false,
      descriptions: { table: `State of the pipeline "${this.#plan.pipeline}"`, columns: {} },
      state: formatLakeState(state),
    })
    if ((await this.#try(change, planned)) === null) throw anotherLoads(checked.folder)
  }

  /** Null if another commit came first. A data file that a commit may list stays. */
  async #try(change: TableChange, planned: PlannedTable): Promise<{ version: number; id: string } | null> {
    const { now = Date.now, signal, onWarning } = this.#options
    try {
      const version = await commitChange(this.#session, change, { now: now(), signal, onWarning })
      if (version === null) return null
      this.#keep(planned)
      return { version, id: change.id }
    } catch (thrown) {
      if (thrown instanceof CatalogueError && thrown.code === 'TARGET_FAILED') this.#keep(planned)
      throw thrown
    }
  }

  #keep({ written }: PlannedTable): void {
    for (const { path } of written) this.#loose.delete(path)
  }

  async #drop({ written }: PlannedTable): Promise<void> {
    for (const { path } of written) {
      await this.#session.storage.remove(path)
      this.#loose.delete(path)
    }
  }

  /** The records of the state as one local file; null if there is none. */
  async #toRecordsFile({ folder, baseline }: CheckedTable): Promise<string | null> {
    const paths: string[] = []
    for (const file of baseline?.own ?? []) paths.push(await this.#session.toLocal(toDataPath(folder, file)))
    if (baseline === null) return null
    const [path] = paths
    if (path !== undefined && paths.length === 1) return path
    const joined = joinPath(this.#session.folder, 'records.parquet')
    const from = path === undefined ? null : `read_parquet(${formatPaths(paths)}, union_by_name = true)`
    if (from === null) return null
    await this.#session.duckdb.run(`COPY (FROM ${from}) TO ${quoteText(joined)} (FORMAT parquet)`)
    return joined
  }

  #requireLoad() {
    if (this.#load === null) throw new TypeError('committed before it was finished')
    return this.#load
  }
}

const mostAttempts = 10

function toNextState(plan: LakeOutputPlan, load: DatabaseLoad, last: LakeState | null): Omit<LakeState, 'tables'> {
  const { runId, kind, startedAt, configHash, stale = null } = load
  return {
    format: 1,
    load: (last?.load ?? 0) + 1,
    runId,
    kind,
    mode: plan.mode,
    startedAt,
    // A load that fills in earlier time claims no more than before.
    syncedUntil: load.syncedUntil ?? last?.syncedUntil ?? null,
    lastFullAt: kind === 'full' ? startedAt : (last?.lastFullAt ?? null),
    configHash,
    stale: stale && { ids: [...stale.ids], needsFull: stale.needsFull },
  }
}

/** The columns that versions of a history have, and the config no longer. */
function withFormerColumns(plan: LakeOutputPlan, table: KeyedTable, { log }: CheckedTable): KeyedTable {
  if (plan.mode !== 'history' || log === null) return table
  const names = new Set([...table.columns.map(({ name }) => name), 'valid_from', 'valid_to', 'is_current'])
  const formerColumns = parseSchema(log.newest.metaData.schemaString).flatMap(({ name, column }) =>
    column === null || names.has(name) ? [] : [column],
  )
  return { ...table, formerColumns }
}

function toMetadata({ pipeline }: LakeOutputPlan, { configHash }: DatabaseLoad): Record<string, string> {
  return { 'catalogue-etl.pipeline': pipeline, 'catalogue-etl.config_hash': configHash }
}

/** Removes staging files of killed runs from the folders of the tables. */
async function clearStaging({ storage }: LakeSession, plan: LakeOutputPlan, token = ''): Promise<void> {
  const folders = [...plan.tables.map(({ name }) => tableFolder(plan, name)), stateFolderOf(plan)]
  const found: string[] = []
  for (const folder of folders.flatMap((each) => [each, logFolder(each)])) {
    for await (const { path } of storage.list(folder, () => false)) {
      const destination = parseStagedDestination(basename(path))
      if (destination !== undefined) found.push(joinPath(folder, destination))
    }
  }
  await storage.clearStale([...new Set(found)], new Set([token]))
}

/** Throws OUTPUT_REFUSED for a storage where a commit could replace another one. */
async function probe({ storage }: LakeSession, folder: string): Promise<void> {
  const path = joinPath(logFolder(folder), `.probe-${randomUUID()}`)
  const bytes = Buffer.from('Whether this storage writes a file only if there is none.\n')
  try {
    await storage.create(path, bytes)
    if (!(await storage.create(path, bytes))) return
  } catch (thrown) {
    if (!refusedWith(thrown, 'NotImplemented')) throw thrown
  } finally {
    await storage.remove(path)
  }
  const message = `${folder}: expected a storage that writes an object only if there is none (If-None-Match), by which one of several writers comes first, got one that replaces it`
  throw new CatalogueError('OUTPUT_REFUSED', message, {
    fix: 'Use a storage with conditional writes, as Amazon S3, MinIO and Cloudflare R2 have them, or a disk.',
  })
}

function anotherLoads(folder: string): CatalogueError {
  const message = `${folder}: expected the only load of this pipeline, got a commit of another one, which runs at the same time`
  return new CatalogueError('LOCKED', message, {
    title: 'Another run loads the same lake',
    fix: 'Run again when it has ended. Let the scheduler start one run at a time.',
  })
}

function tooBusy(folder: string, attempts: number): CatalogueError {
  const message = `${folder}: expected to come first with a commit, but others did ${attempts} times`
  return new CatalogueError('TARGET_FAILED', message, {
    title: 'A table of a lake could not be loaded',
    fix: 'Run again when fewer others write to the table.',
  })
}
