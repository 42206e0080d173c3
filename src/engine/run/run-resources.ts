import type { ReportPlan } from '../../plan/report-plan.ts'
import type { CatalogueError, ErrorCode } from '../../errors.ts'
import type { Source } from '../../sources/source.ts'
import type { EncodingPlan } from '../../kernel/encode/encoding-plan.ts'
import { openEncoder, type Encoder } from '../../kernel/encode/open-encoder.ts'
import type { FailedRun, Outputs } from '../outputs/outputs.ts'
import type { RunHistory } from '../outputs/run-history.ts'
import { failedReportPath } from '../side-files.ts'
import { allOrFirstFailure } from '../../storage/open-together.ts'
import { type Observation, unobserved } from '../observe/observe-run.ts'
import { type RunFacts, toRunReport } from './run-report.ts'
import { Stages } from './stages.ts'
import { turns } from './turns.ts'

type ReadFacts = Omit<RunFacts, 'finishedAt' | 'stages' | 'finished'>

export class RunResources {
  outputs: Outputs | null = null
  read: ReadFacts | null = null
  /** Whether corrected lines are read; their rejects file may be the only copy. */
  isReplay = false
  /** Gets a line for a failed run, once the lock is held; null if none is kept. */
  history: RunHistory | null = null
  readonly stages: Stages
  readonly #observation: Observation
  readonly #encoders = new Set<Encoder>()
  #endTurn: (() => void) | null = null

  constructor(observation = unobserved) {
    this.#observation = observation
    this.stages = new Stages(observation.endStage)
  }

  /** Waits until this run may read. The turn ends with the release. */
  async takeTurn(signal: AbortSignal): Promise<void> {
    const progress = (): number => [...this.#encoders].reduce((sum, { seenBytes }) => sum + seenBytes, 0)
    this.#endTurn ??= await turns.take({ signal, progress })
  }

  async openEncoder(plan: EncodingPlan, sources: readonly Source[], workers: number): Promise<Encoder> {
    const expectedBytes = sources.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
    // Picks the members, as the whole object is sent to the workers.
    const { records, files, profiledTables, rules } = plan
    const encoder = await openEncoder({ records, files, profiledTables, rules }, { workers, expectedBytes })
    this.#encoders.add(encoder)
    return encoder
  }

  /** Closes an encoder and lets its memory go. */
  async closeEncoder(encoder: Encoder): Promise<void> {
    await encoder.close()
    this.#encoders.delete(encoder)
  }

  async release(): Promise<void> {
    try {
      await allOrFirstFailure([...this.#encoders].map((encoder) => encoder.close()))
    } finally {
      this.#endTurn?.()
    }
  }

  end(): Pick<RunFacts, 'finishedAt' | 'stages'> {
    return { finishedAt: new Date(), stages: this.stages.list() }
  }

  /** Discards the outputs except rejects and rows that break rules, and returns a sentence about what is left. */
  async abandon(error: CatalogueError, report: ReportPlan): Promise<string> {
    // Without the lock the rejects file belongs to another run.
    const keepRejects = this.isReplay ? error.code === 'TOO_MANY_REJECTS' : error.code !== 'LOCKED'
    const hasRejects = (this.outputs?.firstReject ?? null) !== null && keepRejects
    const keepBroken = error.code !== 'LOCKED'
    const broken = keepBroken ? (this.outputs?.brokenRows ?? null) : null
    const kept = [
      ...(hasRejects ? [`The rejects so far are in ${report.rejects.path}.`] : []),
      ...(broken === null ? [] : [`The rows that break rules are in ${broken.path}, at most 1,000 of each rule.`]),
    ]
    const failure = this.#describeFailure(error)
    const run = this.history?.toFailed(error, failure?.report ?? null)
    const isRefused = failure !== null && this.outputs !== null && refusals.has(error.code)
    const failed = isRefused ? { ...failure, runs: (run && (await this.history?.add(run)))?.runs ?? [] } : null
    if (failed !== null && report.page !== null) kept.push(`The page of this run is ${failedReportPath(report)}.`)
    try {
      await this.outputs?.discard({ keepRejects, keepBroken, failed })
    } finally {
      const isMistake = this.outputs === null && mistakes.has(error.code)
      if (run !== undefined && error.code !== 'LOCKED' && !isMistake) await this.history?.record(run)
    }
    return error.outputs ?? [unchanged, ...kept].join(' ')
  }

  /** Report of a run that failed after reading; null for other failures. */
  #describeFailure({ code, title, message, fix }: CatalogueError): Omit<FailedRun, 'runs'> | null {
    if (this.read === null) return null
    const { runId, counters } = this.read
    const brokenRows = this.outputs?.brokenRows
    const finished = { files: [], ...(brokenRows && { brokenRows }) }
    const manifest = toRunReport({ ...this.read, ...this.end(), finished })
    const report = { ...manifest, failure: { code, title, message, fix } }
    if (refusals.has(code)) this.#observation.refused = report
    return { runId, counters, report }
  }
}

/** The errors of runs that are refused for what they have read. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'SOURCE_INCOMPLETE',
  'TOO_MANY_REJECTS',
  'RULE_BROKEN',
  'REMOVED_TOO_MANY',
])

/** The errors of a command or config that has to be written otherwise. Before anything is read, they are no runs. */
const mistakes: ReadonlySet<ErrorCode> = new Set(['USAGE', 'CONFIG_INVALID', 'CONFIG_UNREADABLE', 'PEER_MISSING'])

export const unchanged = 'Nothing was saved; the earlier outputs are as they were.'
