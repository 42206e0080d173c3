import { discardAll, openTogether } from '../../storage/open-together.ts'
import { CatalogueError } from '../../errors.ts'
import type {
  CommittedTables,
  DatabaseChanges,
  DatabaseLoad,
  DatabaseOutput,
  DatabaseOutputPlan,
  LoadStart,
  StaleMemory,
} from '../../loads/databases/database-output.ts'
import { openTarget, type TargetPlan } from '../../lake/open-target.ts'
import type { LakeOutputPlan } from '../../lake/lake-plan.ts'
import type { LakeOptions } from '../../lake/lake-session.ts'
import type { LoadFiles } from '../../loads/merge-result.ts'
import type { LoadChoice } from '../../loads/state/choose-load.ts'
import { type DatabasePlan, isLakePlan, type LakePlan } from '../../plan/outputs/database-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import type { DatabaseReport } from '../../manifest/manifest.ts'
import type { StagingOptions } from './outputs.ts'
import type { TableMeaning } from '../../loads/databases/format-comments.ts'
import { listModeColumns } from '../../plan/outputs/output-mode.ts'
import { describeModeColumn, describeTables } from '../../plan/records/describe-tables.ts'

interface TargetOptions extends Pick<LakeOptions, 'onWarning' | 'signal' | 'env' | 'settings' | 'token'> {
  /** The folder for temporary files of a target in a lake, by its position. Default: that of the system. */
  readonly workFolderOf?: (target: number) => string
  /** Called before each commit. Throws LOCKED in a run that another one has taken over from. */
  readonly confirmLock?: StagingOptions['confirmLock']
}

interface Target {
  readonly plan: DatabasePlan
  readonly output: DatabaseOutput
}

export interface LoadFacts extends Pick<LoadStart, 'configHash'> {
  readonly choice: LoadChoice
  readonly advancesWatermark: boolean
}

export type LoadedFacts = Pick<DatabaseLoad, 'runId' | 'startedAt' | 'maxRemoved'> & { readonly stale: StaleMemory }

export class DatabaseTargets {
  readonly #tables: StatefulPlan['tables']
  readonly #targets: readonly Target[]
  readonly #facts: LoadFacts
  readonly #confirmLock: StagingOptions['confirmLock']

  private constructor(
    tables: StatefulPlan['tables'],
    targets: readonly Target[],
    facts: LoadFacts,
    confirmLock: StagingOptions['confirmLock'],
  ) {
    this.#tables = tables
    this.#targets = targets
    this.#facts = facts
    this.#confirmLock = confirmLock
  }

  static async open(
    name: string,
    records: RecordsPlan,
    { databases, tables }: Pick<StatefulPlan, 'databases' | 'tables'>,
    facts: LoadFacts,
    options: TargetOptions = {},
  ): Promise<DatabaseTargets> {
    const start = toLoadStart(facts)
    return openTogether(async (keep) => {
      const targets: Target[] = []
      for (const [at, plan] of databases.entries()) {
        const meanings = listMeanings(records, plan)
        const own = { ...options, workFolder: options.workFolderOf?.(at) }
        const output = keep(await openTarget({ ...toOutputPlan(name, tables, plan), meanings }, start, own))
        targets.push({ plan, output })
      }
      return new DatabaseTargets(tables, targets, facts, options.confirmLock)
    })
  }

  /** Writes COPY text, a piece per table of the plan, then the records. */
  async write(pieces: readonly Uint8Array[]): Promise<void> {
    for (const { plan, output } of this.#targets) {
      if (output.takes !== 'copy') continue
      for (const [at, table] of [...plan.tables, pieces.length - 1].entries()) {
        const piece = pieces[table]
        if (piece !== undefined && piece.length > 0) await output.write(at, piece)
      }
    }
  }

  /** Applies the load to every database without committing it. */
  async finish(files: LoadFiles | null, facts: LoadedFacts): Promise<DatabaseReport[]> {
    const syncedUntil = this.#facts.advancesWatermark ? facts.startedAt : null
    const load = { ...toLoadStart(this.#facts), ...facts, syncedUntil }
    const reports: DatabaseReport[] = []
    for (const { plan, output } of this.#targets) {
      const own = files && { ...files, tables: plan.tables.map((table) => files.tables[table] ?? '') }
      const changes = await (output.takes === 'parquet' && own !== null
        ? output.finish(load, own)
        : output.finish(load))
      reports.push(this.#toReport(plan, output.shown, changes))
    }
    return reports
  }

  /** Commits the tables in lakes, and resolves with the reports of all targets, with the versions that these tables have then. */
  async commitLakes(reports: readonly DatabaseReport[]): Promise<DatabaseReport[]> {
    const committed: DatabaseReport[] = []
    for (const [at, report] of reports.entries()) {
      const { versions = [], snapshots = [] } = this.#isLake(at) ? await this.#commit(at) : {}
      const tables = report.tables.map((table, index) => {
        const snapshot = snapshots[index]
        return { ...table, version: versions[index], ...(snapshot !== undefined && { snapshot }) }
      })
      committed.push(versions.length > 0 ? { ...report, tables } : report)
    }
    return committed
  }

  /** Commits what is in no lake. */
  async commitOthers(): Promise<void> {
    for (const at of this.#targets.keys()) if (!this.#isLake(at)) await this.#commit(at)
  }

  #isLake(at: number): boolean {
    const { plan } = this.#targets[at] ?? {}
    return plan !== undefined && isLakePlan(plan)
  }

  async #commit(at: number): Promise<CommittedTables> {
    try {
      await this.#confirmLock?.()
      return (await this.#targets[at]?.output.commit()) ?? {}
    } catch (error) {
      throw error instanceof CatalogueError ? withOtherOutputs(error, at) : error
    }
  }

  /** Closes connections, even after `commit`. */
  async discard(): Promise<void> {
    await discardAll(this.#targets.map(({ output }) => output))
  }

  #toReport(plan: DatabasePlan, target: string, loaded: DatabaseChanges): DatabaseReport {
    const { changes, rowsWritten, differences, foreignRows } = loaded
    const tables = plan.tables.map((table, at) => {
      const foreign = foreignRows?.[at] ?? 0
      const name = this.#tables[table]?.name ?? ''
      return { name, rowsWritten: rowsWritten[at] ?? 0, ...(foreign > 0 && { foreignRows: foreign }) }
    })
    const lake = isLakePlan(plan) ? { format: plan.format, ...(plan.catalog && { catalog: plan.catalog.url }) } : {}
    return { target, ...lake, mode: plan.mode, changes, tables, ...(differences.length > 0 && { differences }) }
  }
}

function toLoadStart({ choice, advancesWatermark, configHash }: LoadFacts): LoadStart {
  return { kind: choice.kind, since: choice.kind === 'delta' && advancesWatermark ? choice.since : null, configHash }
}

export function toOutputPlan(pipeline: string, tables: StatefulPlan['tables'], database: DatabasePlan): TargetPlan {
  const { mode, removed } = database
  const own = database.tables.flatMap((table) => tables[table] ?? [])
  const plan = { pipeline, mode, removed, tables: own }
  if (!isLakePlan(database)) return { target: toTarget(pipeline, database), ...plan }
  return { target: toLakeTarget(pipeline, database), ...plan }
}

export function toLakeTarget(
  pipeline: string,
  { format, path, compression, deletes, changeFeed, catalog }: LakePlan,
): LakeOutputPlan['target'] {
  if (catalog !== null) return { format, path, compression, deletes, changeFeed, catalog }
  throw new CatalogueError('CONFIG_INVALID', `${pipeline}: expected the address of a catalog, got none`)
}

function toTarget(pipeline: string, database: Exclude<DatabasePlan, LakePlan>): DatabaseOutputPlan['target'] {
  const { schema } = database
  if (database.format === 'duckdb') return { format: 'duckdb', path: database.path, schema }
  const { format, url, lockTimeoutMs } = database
  if (url === null) throw new CatalogueError('CONFIG_INVALID', `${pipeline}: expected the url of a database, got none`)
  return { format, url, schema, lockTimeoutMs }
}

function withOtherOutputs(error: CatalogueError, at: number): CatalogueError {
  const { outputs: ofThis } = error
  if (at === 0) return ofThis === undefined ? error : error.withOutputs(`${ofThis} All other outputs are as they were.`)
  const others = 'Databases listed before it hold this run; the others and the files are as they were.'
  return error.withOutputs(ofThis === undefined ? others : `${ofThis} ${others}`)
}

/** Descriptions of tables and columns, for comments in a database. */
function listMeanings(
  records: RecordsPlan,
  database: Pick<DatabasePlan, 'tables' | 'mode' | 'removed'>,
): TableMeaning[] {
  const described = describeTables(records)
  const added = listModeColumns(database).map(describeModeColumn)
  return database.tables.flatMap((table) => {
    const { description, columns } = described[table] ?? { description: '', columns: [] }
    const meanings = [...columns, ...added].map((column) => [column.name, column.description])
    return { description, columns: Object.fromEntries(meanings) as TableMeaning['columns'] }
  })
}
