import { CatalogueError } from '../../errors.ts'
import type {
  DatabaseChanges,
  DatabaseLoad,
  DatabaseOptions,
  DatabaseOutput,
  DatabaseOutputPlan,
  StaleMemory,
} from '../../loads/databases/database-output.ts'
import { openDatabaseOutput, readTargetState } from '../../loads/databases/open-database.ts'
import { type TableDifference, type VerifiedTarget, verifyTarget } from '../../loads/databases/verify-target.ts'
import type { LoadFiles } from '../../loads/merge-result.ts'
import type { LoadChoice, TargetProgress } from '../../loads/state/choose-load.ts'
import type { DatabasePlan, PipelinePlan, StatefulPlan } from '../../plan/pipeline-plan.ts'
import { discardAll, openTogether } from '../../publish/open-together.ts'
import type { DatabaseReport } from './output-reports.ts'

type WaitOptions = Pick<DatabaseOptions, 'onWarning' | 'signal'>

/** How far the databases of a plan reach. */
export async function readTargets(
  plan: PipelinePlan,
  stateful: StatefulPlan,
  options: WaitOptions = {},
): Promise<TargetProgress[]> {
  const targets: TargetProgress[] = []
  for (const database of stateful.databases) {
    const { last, needsFull } = await readTargetState(toOutputPlan(plan, stateful, database), plan.configHash, options)
    const reason = needsFull === null ? null : `${needsFull} (${database.format}, schema "${database.schema}")`
    const stale = last?.stale ?? null
    targets.push({
      syncedUntil: last?.syncedUntil ?? null,
      needsFull: reason ?? stale?.needsFull ?? null,
      stale: stale?.ids ?? [],
    })
  }
  return targets
}

/** A database beside its own state, as `verify` reports it. */
export interface VerifiedDatabase {
  readonly target: string
  readonly tables: VerifiedTarget['tables']
  readonly differences: readonly (Omit<TableDifference, 'table'> & { readonly where: string })[]
}

/** Compares the tables of every database of a plan with the state that it has. Reads only. */
export async function verifyDatabases(plan: PipelinePlan, stateful: StatefulPlan): Promise<VerifiedDatabase[]> {
  const recordTables = new Set(
    plan.records.tables.filter(({ each, where }) => each.length === 0 && where.length === 0).map(({ name }) => name),
  )
  const verified: VerifiedDatabase[] = []
  for (const database of stateful.databases) {
    const found = await verifyTarget({ ...toOutputPlan(plan, stateful, database), recordTables })
    const differences = found.differences.map(({ table, ...difference }) => {
      return { ...difference, where: table === null ? found.shown : `${found.shown}, table "${table}"` }
    })
    verified.push({ target: found.shown, tables: found.tables, differences })
  }
  return verified
}

interface Target {
  readonly plan: DatabasePlan
  readonly output: DatabaseOutput
}

/** The databases that a run loads, each in one transaction. */
export class DatabaseTargets {
  readonly #stateful: StatefulPlan
  readonly #targets: readonly Target[]

  private constructor(stateful: StatefulPlan, targets: readonly Target[]) {
    this.#stateful = stateful
    this.#targets = targets
  }

  /** `runId`, `startedAt` and `syncedUntil` of the load need not be known before `finish`. */
  static async open(
    plan: PipelinePlan,
    stateful: StatefulPlan,
    load: DatabaseLoad,
    options: WaitOptions = {},
  ): Promise<DatabaseTargets> {
    return openTogether(async (keep) => {
      const targets: Target[] = []
      for (const database of stateful.databases) {
        const output = await openDatabaseOutput(toOutputPlan(plan, stateful, database), load, options)
        targets.push({ plan: database, output: keep(output) })
      }
      return new DatabaseTargets(stateful, targets)
    })
  }

  /** Pieces in COPY text, a table of the plan each, and behind them the records. */
  async write(pieces: readonly Uint8Array[]): Promise<void> {
    for (const { plan, output } of this.#targets) {
      if (output.takes !== 'copy') continue
      for (const [at, table] of [...plan.tables, pieces.length - 1].entries()) {
        const piece = pieces[table]
        if (piece !== undefined && piece.length > 0) await output.write(at, piece)
      }
    }
  }

  /** Puts the load in place in every database, uncommitted. */
  async finish(files: LoadFiles | null): Promise<DatabaseReport[]> {
    const reports: DatabaseReport[] = []
    for (const { plan, output } of this.#targets) {
      const own = files && { ...files, tables: plan.tables.map((table) => files.tables[table] ?? '') }
      const changes = await (output.takes === 'parquet' && own !== null ? output.finish(own) : output.finish())
      reports.push(this.#toReport(plan, output.shown, changes))
    }
    return reports
  }

  async commit(): Promise<void> {
    for (const [at, { output }] of this.#targets.entries()) {
      try {
        await output.commit()
      } catch (error) {
        throw error instanceof CatalogueError ? withOtherOutputs(error, at) : error
      }
    }
  }

  /** Also after `commit`, to close the connections. */
  async discard(): Promise<void> {
    await discardAll(this.#targets.map(({ output }) => output))
  }

  #toReport(plan: DatabasePlan, target: string, loaded: DatabaseChanges): DatabaseReport {
    const { changes, rowsWritten, differences, foreignRows } = loaded
    const tables = plan.tables.map((table, at) => {
      const foreign = foreignRows?.[at] ?? 0
      const name = this.#stateful.tables[table]?.name ?? ''
      return { name, rowsWritten: rowsWritten[at] ?? 0, ...(foreign > 0 && { foreignRows: foreign }) }
    })
    return { target, mode: plan.mode, changes, tables, ...(differences.length > 0 && { differences }) }
  }
}

function toOutputPlan(plan: PipelinePlan, { tables }: StatefulPlan, database: DatabasePlan): DatabaseOutputPlan {
  const { mode, removed } = database
  const own = database.tables.flatMap((table) => tables[table] ?? [])
  return { target: toTarget(plan, database), pipeline: plan.name, mode, removed, tables: own }
}

function toTarget({ name }: PipelinePlan, database: DatabasePlan): DatabaseOutputPlan['target'] {
  const { schema } = database
  if (database.format === 'duckdb') return { format: 'duckdb', path: database.path, schema }
  const { url, lockTimeoutMs } = database
  if (url === null) throw new CatalogueError('CONFIG_INVALID', `${name}: expected the url of a database, got none`)
  return { format: 'postgres', url, schema, lockTimeoutMs }
}

/** The error of a commit, with the outcome for the other outputs. */
function withOtherOutputs(error: CatalogueError, at: number): CatalogueError {
  const { outputs: ofThis } = error
  if (at === 0) return ofThis === undefined ? error : error.withOutputs(`${ofThis} All other outputs are as they were.`)
  const others = 'Databases listed before it hold this run; the others and the files are as they were.'
  return error.withOutputs(ofThis === undefined ? others : `${ofThis} ${others}`)
}

/** One line for each difference between a table and what the load before left in it, with what became of it. */
export function describeTables({ target, mode, tables, differences = [] }: DatabaseReport): string[] {
  const done = mode === 'append' ? 'rows that are gone do not come back' : howRewritten[mode]
  return [
    ...differences.map(({ table, expected, got }) => {
      return `${target}: table "${table}" had ${got} rows, and the load before left ${expected}: ${done}`
    }),
    ...tables.flatMap(({ name, foreignRows = 0 }) => {
      if (foreignRows === 0) return []
      return `${target}: table "${name}" has ${foreignRows} rows of no record that this pipeline has loaded, which stay`
    }),
  ]
}

const howRewritten = {
  snapshot: 'it holds what this run read',
  merge: 'every record was put in place anew',
  history: 'every record was put in place anew, but versions that had ended do not come back',
}

/** What databases are told of a load: some of it is known only when all is read. */
export class PendingLoad implements DatabaseLoad {
  readonly kind: DatabaseLoad['kind']
  readonly since: Date | null
  readonly refresh: boolean
  readonly configHash: string
  readonly maxRemoved: DatabaseLoad['maxRemoved']
  readonly #advancesWatermark: boolean
  #runId = ''
  #startedAt = new Date(0)
  #stale: StaleMemory | null = null

  constructor(
    { configHash }: Pick<PipelinePlan, 'configHash'>,
    { maxRemoved }: Pick<DatabaseLoad, 'maxRemoved'>,
    {
      choice,
      refresh,
      advancesWatermark,
    }: { readonly choice: LoadChoice; readonly refresh: boolean; readonly advancesWatermark: boolean },
  ) {
    this.kind = choice.kind
    this.refresh = refresh
    this.since = choice.kind === 'delta' && advancesWatermark ? choice.since : null
    this.configHash = configHash
    this.maxRemoved = maxRemoved
    this.#advancesWatermark = advancesWatermark
  }

  get runId(): string {
    return this.#runId
  }

  get startedAt(): Date {
    return this.#startedAt
  }

  get syncedUntil(): Date | null {
    return this.#advancesWatermark ? this.#startedAt : null
  }

  get stale(): StaleMemory | null {
    return this.#stale
  }

  end(runId: string, startedAt: Date, stale: StaleMemory): void {
    this.#stale = stale
    this.#runId = runId
    this.#startedAt = startedAt
  }
}
