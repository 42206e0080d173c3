import { randomBytes } from 'node:crypto'
import { CatalogueError } from '../errors.ts'
import type {
  CommittedTables,
  DatabaseChanges,
  DatabaseLoad,
  DatabaseOutput,
  LoadStart,
  TargetState,
} from '../loads/databases/database-output.ts'
import { checkJoin } from '../loads/databases/check-target.ts'
import { createChanges, readChanges } from '../loads/files/changes-table.ts'
import type { Load, LoadFiles, StateFile } from '../loads/merge-result.ts'
import type { KeyedTable } from '../plan/loads/stateful-plan.ts'
import { allOrFirstFailure } from '../storage/open-together.ts'
import { isObjectPath } from '../storage/s3/object-path.ts'
import { StagedSet } from '../storage/staged-set.ts'
import { type CheckedLake, type CheckedTable, checkLake, checkLakeTable, checkState } from './check-lake.ts'
import type { RowsTarget } from './data-files.ts'
import { clearStaging, prepareLake, probe } from './prepare-lake.ts'
import type { Commit, CommittedTable, TableChange } from './lake-format.ts'
import {
  deletesOf,
  keepsFormerColumns,
  describeState,
  type LakeOutputPlan,
  listLakeColumns,
  pipelineProperty,
} from './lake-plan.ts'
import { type LakeOptions, type OpenedLakeSession, openLakeSession } from './lake-session.ts'
import { formatLakeState, type LakeState, toNextState } from './lake-state.ts'
import { planRecords, selectRecords, stateColumns } from './plan-records.ts'
import { type PlannedTable, planTable, sumPlannedRows, type TableLoad } from './plan-table.ts'
import { pause, tooBusy } from './put-version.ts'

/**
 * Loads the tables of a pipeline into a lake, each in one commit, then the state of the pipeline, which is a table beside them and
 * says what the lake holds. A load begins from the versions that the state names: what a killed run has committed since is undone
 * by the commit of the next.
 */
export async function openLakeOutput(
  plan: LakeOutputPlan,
  start: LoadStart,
  options: LakeOptions = {},
): Promise<DatabaseOutput> {
  const session = await openLakeSession(plan, options)
  try {
    const lake = await prepareLake(session, plan, start.configHash, options.onWarning)
    checkJoin(plan.target.path, lake, start)
    const folders = [...lake.tables, lake.state].map(({ folder }) => folder)
    if (isObjectPath(plan.target.path)) await probe(session, lake.state.folder)
    else await clearStaging(session, folders, options.token)
    return new LakeOutput(plan, session, options)
  } catch (thrown) {
    await session.close()
    throw thrown
  }
}

/** Reads the state of the lake, so that a run can choose what to ask the service for. */
export async function readLakeState(
  plan: LakeOutputPlan,
  configHash: string,
  options: LakeOptions = {},
): Promise<TargetState> {
  const session = await openLakeSession(plan, options)
  try {
    const { last, differences, needsFull } = await checkLake(session, plan, configHash)
    return { last, differences, needsFull }
  } finally {
    await session.close()
  }
}

/** What a load begins with. */
interface BegunLoad {
  readonly lake: CheckedLake
  readonly facts: DatabaseLoad
  readonly files: LoadFiles
  /** The records of the state before, as SQL that may follow FROM; null if there is none. */
  readonly records: string | null
}

/** A table whose data files are written. */
interface Work {
  readonly checked: CheckedTable
  readonly planned: PlannedTable
  readonly change: TableChange
}

type ChangeFacts = Omit<
  TableChange,
  'folder' | 'pipeline' | 'log' | 'kept' | 'deletions' | 'added' | 'feed' | 'token' | 'deletes'
>

interface FinishedLoad extends BegunLoad {
  /** By table of the plan. */
  readonly works: readonly Work[]
  readonly planState: (checked: CheckedTable, isSame: boolean) => Promise<PlannedTable>
  /** Whether each record is as it was. */
  readonly isSame: boolean
  readonly state: PlannedTable
}

/** A table to commit, or the state. */
interface CommitUnit {
  work: Work
  readonly check: () => Promise<CheckedTable>
  readonly plan: (checked: CheckedTable, since: readonly Commit[]) => Promise<Work>
}

/** The state, if its tables are as they were made. */
type NextState = (made: readonly CommittedTable[]) => LakeState

class LakeOutput implements DatabaseOutput {
  readonly shown: string
  readonly takes = 'parquet'
  readonly #plan: LakeOutputPlan
  readonly #session: OpenedLakeSession
  readonly #options: LakeOptions
  readonly #staged: StagedSet
  /** Identifies the commits of this load. */
  readonly #token: string
  /** Data files that no commit lists yet, and that no commit may list: they go with the load. */
  readonly #loose = new Set<string>()
  #load: FinishedLoad | null = null

  constructor(plan: LakeOutputPlan, session: OpenedLakeSession, options: LakeOptions) {
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
    const lake = await prepareLake(this.#session, this.#plan, load.configHash, onWarning)
    checkJoin(this.shown, lake, load)
    // A difference in rows is in the report.
    const counted = new Set(lake.differences.map(({ table }) => table))
    for (const name of lake.changed.filter((table) => !counted.has(table)))
      onWarning?.(
        `${this.shown}: others have changed rows of ${name} since the last load: its rows are as the loads left them again, and rows of others with other ids stay`,
      )
    const records = await selectRecords(this.#session, lake.state)
    const begun: BegunLoad = { lake, facts: load, files, records }
    const merged: Load = { ...files, kind: load.kind, startedAt: load.startedAt, runId: load.runId }
    await createChanges(duckdb, merged, records)
    const { changes, removedRecords } = await readChanges(duckdb, records, load.maxRemoved, this.shown)
    const works: Work[] = []
    for (const [at, table] of this.#plan.tables.entries()) {
      works.push(await this.#planTable(begun, table, lake.tables[at] as CheckedTable))
      signal?.throwIfAborted()
    }
    const { unchanged: _, ...differences } = changes
    const isSame = lake.last !== null && Object.values(differences).every((count) => count === 0)
    const planState = async (checked: CheckedTable, stays: boolean) => {
      const how = { isSame: stays, deletes: this.#plan.target.deletes }
      return this.#place(await planRecords(this.#toTarget(load, checked, ofState), merged, checked, how))
    }
    this.#load = { ...begun, works, planState, isSame, state: await planState(lake.state, isSame) }
    return {
      changes,
      removedRecords,
      rowsWritten: works.map(({ planned }) => planned.rowsWritten),
      differences: lake.differences,
      foreignRows: null,
    }
  }

  async commit(): Promise<CommittedTables> {
    if (this.#load === null) throw new TypeError('committed before it was finished')
    const load = this.#load
    const committed: CommittedTable[] = []
    const units = load.works.map((work, at) => this.#toUnit(load, this.#plan.tables[at] as KeyedTable, work))
    const next = (made: readonly CommittedTable[]) => this.#toState(load, units, [...committed, ...made])
    const all = [...units, this.#toStateUnit(load, next)]
    const commits = this.#session.format.isTransactional ? [all] : all.map((unit) => [unit])
    try {
      for (const together of commits) committed.push(...(await this.#commitUnits(together)))
    } catch (thrown) {
      const done = this.#plan.tables[committed.length - 1]
      if (done === undefined || !(thrown instanceof CatalogueError)) throw thrown
      throw thrown.withOutputs(
        `Tables of the lake, up to "${done.name}", may hold this run already; the next one begins from what the last whole load left, and brings all together.`,
      )
    }
    const tables = committed.slice(0, units.length)
    return { versions: tables.map(({ version }) => version), snapshots: tables.map(({ snapshot }) => snapshot) }
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

  async #planTable(
    { lake, facts: load, files, records }: BegunLoad,
    planned: KeyedTable,
    checked: CheckedTable,
  ): Promise<Work> {
    const at = this.#plan.tables.indexOf(planned)
    const table = withFormerColumns(this.#plan, planned, checked)
    const isRefreshed = lake.last !== null && lake.last.configHash !== load.configHash && load.kind === 'full'
    const shape = { columns: listLakeColumns(this.#plan, table), keepsOthers: this.#plan.mode === 'append' }
    const of: TableLoad = {
      plan: this.#plan,
      target: this.#toTarget(load, checked, shape),
      load,
      table,
      loaded: files.tables[at] ?? '',
      loadedRecords: files.records,
      records,
      rewritesAll: isRefreshed,
      newest: checked.log?.newest ?? null,
    }
    const written = await this.#place(await planTable(of, checked.baseline))
    const { description = '', columns = {} } = this.#plan.meanings?.[at] ?? {}
    const change = this.#toChange(checked, written, {
      ...shape,
      mode: this.#plan.mode,
      hasFeed: this.#plan.target.changeFeed === true,
      isRefreshed,
      load: (lake.last?.load ?? 0) + 1,
      descriptions: { table: description, columns },
    })
    return { checked, planned: written, change }
  }

  #toChange({ folder, log }: CheckedTable, planned: PlannedTable, facts: ChangeFacts): TableChange {
    const { pipeline, target } = this.#plan
    const { kept, deletions, added, feed } = planned
    const deletes = facts.mode === 'state' ? target.deletes : deletesOf(this.#plan)
    const files = { kept, deletions, added, feed, deletes }
    return { folder, pipeline, log, ...files, token: this.#token, ...facts }
  }

  #toTarget(
    { runId, configHash }: DatabaseLoad,
    { folder, log }: CheckedTable,
    shape: Pick<TableChange, 'columns' | 'keepsOthers'>,
  ): RowsTarget {
    const { pipeline, target } = this.#plan
    const metadata = { [pipelineProperty]: pipeline, 'catalogue-etl.config_hash': configHash }
    const { compression } = target
    const fieldIds = this.#session.format.numberFields(log, shape)
    return { session: this.#session, staged: this.#staged, metadata, runId, folder, compression, fieldIds }
  }

  async #place(planned: PlannedTable): Promise<PlannedTable> {
    for (const { staged, sha256 } of listWritten(planned)) {
      // Even if the answer is lost.
      this.#loose.add(staged.destination)
      await this.#session.storage.place({ path: staged.path, destination: staged.destination, sha256 })
    }
    return planned
  }

  #toUnit(load: BegunLoad, table: KeyedTable, work: Work): CommitUnit {
    const { lake, facts } = load
    const check = async () => {
      const checked = await checkLakeTable(this.#session, this.#plan, table, lake.last, this.#options.onWarning)
      const needsFull = checked.lost === null ? null : `table "${table.name}": ${checked.lost}`
      checkJoin(this.shown, { ...lake, needsFull }, facts)
      return checked
    }
    return { work, check, plan: (checked) => this.#planTable(load, table, checked) }
  }

  #toStateUnit({ lake, state, isSame, planState }: FinishedLoad, next: NextState): CommitUnit {
    const toWork = (checked: CheckedTable, planned: PlannedTable): Work => {
      const change = this.#toChange(checked, planned, {
        ...ofState,
        mode: 'state',
        hasFeed: false,
        isRefreshed: false,
        load: (lake.last?.load ?? 0) + 1,
        descriptions: describeState(this.#plan),
        state: (made) => formatLakeState(next(made)),
      })
      return { checked, planned, change }
    }
    return {
      work: toWork(lake.state, state),
      check: () => checkState(this.#session, this.#plan, this.#options.onWarning),
      plan: async (checked, since) =>
        toWork(checked, await planState(checked, isSame && since.every(({ isRearranging }) => isRearranging))),
    }
  }

  #toState({ lake, facts }: BegunLoad, units: readonly CommitUnit[], made: readonly CommittedTable[]): LakeState {
    const tables: Record<string, LakeState['tables'][string]> = {}
    for (const [name, known] of Object.entries(lake.last?.tables ?? {})) tables[name] = { ...known, isLeft: true }
    for (const [at, { work }] of units.entries()) {
      const { id, version } = made[at] as CommittedTable
      tables[this.#plan.tables[at]?.name ?? ''] = { id, version, rows: sumPlannedRows(work.planned) }
    }
    return { ...toNextState(this.#plan, facts, lake.last), tables }
  }

  /** Commits tables together; if another commit comes first, checks and plans them again on the newer versions. */
  async #commitUnits(units: readonly CommitUnit[]): Promise<readonly CommittedTable[]> {
    for (let attempt = 1; ; attempt++) {
      const committed = await this.#try(units)
      if (committed !== null) return committed
      if (attempt === mostAttempts) throw tooBusy(units.map(({ work }) => work.checked.folder).join(', '), attempt)
      await pause(attempt, this.#options.signal)
      for (const unit of units) unit.work = await this.#planAgain(unit)
    }
  }

  async #planAgain({ work, check, plan }: CommitUnit): Promise<Work> {
    const version = work.checked.log?.newest.version ?? null
    const checked = await check()
    // A log that was read from a checkpoint on does not have them all.
    const { folder, log } = checked
    const { pipeline } = this.#plan
    const since =
      log && (await this.#session.format.readCommits(this.#session, { folder, pipeline, version }, log.newest.version))
    if (since?.some(({ load }) => load !== null)) throw anotherLoads(folder)
    // Another table of the commit has changed.
    if (log !== null && log.newest.version === version) return { ...work, checked, change: { ...work.change, log } }
    await this.#drop(work.planned)
    return plan(checked, since ?? [])
  }

  /** Null if another commit came first. A data file that a commit may list stays. */
  async #try(units: readonly CommitUnit[]): Promise<readonly CommittedTable[] | null> {
    const { now = Date.now, onWarning } = this.#options
    const changes = units.map(({ work }) => work.change)
    const keep = () => units.forEach(({ work }) => this.#keep(work.planned))
    try {
      const committed = await this.#session.format.commit(this.#session, changes, { now: now(), onWarning })
      if (committed !== null) keep()
      return committed
    } catch (thrown) {
      if (thrown instanceof CatalogueError && thrown.code === 'TARGET_FAILED') keep()
      throw thrown
    }
  }

  #keep(planned: PlannedTable): void {
    for (const { path } of listWritten(planned)) this.#loose.delete(path)
  }

  async #drop(planned: PlannedTable): Promise<void> {
    for (const { path } of listWritten(planned)) {
      await this.#session.storage.remove(path)
      this.#loose.delete(path)
    }
  }
}

const mostAttempts = 10

function listWritten({ written, feed }: PlannedTable): readonly StateFile[] {
  return [...written, ...(feed ?? [])]
}

/** The table of the state is no other than its columns. */
const ofState = { columns: stateColumns, keepsOthers: false }

/** The columns that the table has, and the config no longer. */
function withFormerColumns(plan: LakeOutputPlan, table: KeyedTable, { log }: CheckedTable): KeyedTable {
  if (!keepsFormerColumns(plan) || log === null) return table
  const names = new Set(listLakeColumns(plan, table).map(({ name }) => name))
  const formerColumns = log.newest.fields.flatMap(({ name, column }) =>
    column === null || names.has(name) ? [] : [column],
  )
  return { ...table, formerColumns }
}

function anotherLoads(folder: string): CatalogueError {
  const message = `${folder}: expected the only load of this pipeline, got a commit of another one, which runs at the same time`
  return new CatalogueError('LOCKED', message, {
    title: 'Another run loads the same lake',
    fix: 'Run again when it has ended. Let the scheduler start one run at a time.',
  })
}
