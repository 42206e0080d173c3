import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import { chooseWorkers } from '../kernel/encode/choose-workers.ts'
import { runPlan, type RunOptions } from '../engine/run/run-pipeline.ts'
import { type CatalogueError, exitCodes, toCatalogueError } from '../errors.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { listFindings } from '../report/facts.ts'
import { listPlaces } from '../report/facts/drift.ts'
import { countFiles, sumBytes } from '../report/facts/files.ts'
import type { RunInput } from './commands/run/run-options.ts'
import { colorsFor, logEvent, type LoggedEvent, type Terminal } from './terminal.ts'
import { createProgressBoard } from './progress/progress.ts'
import type { ProgressBoard } from './progress/progress-view.ts'
import { renderError, toErrorJson } from './render/render-error.ts'
import { renderReport } from './render/render-report.ts'
import type { Manifest } from '../manifest/manifest.ts'

export interface Runnable {
  /** The file of the config. */
  readonly file: string
  readonly plan: PipelinePlan
  /** With --as-of: the plan of the pipeline itself, without --out. */
  readonly own?: PipelinePlan | undefined
  readonly env: Terminal['env']
  readonly listNotes: () => Promise<readonly string[]>
}

/**
 * Runs pipelines in order, `parallel` at a time, and logs how each ends. A failed run does not keep the others from
 * running. After the terminal's signal aborts, active runs end and no other begins. The outcomes are in the order of
 * the plans. Throws USAGE before the first run if the environment sets an invalid number of workers.
 */
export async function runPipelines(
  runnables: readonly Runnable[],
  options: RunInput,
  terminal: Terminal,
): Promise<RunOutcome[]> {
  const { parallel = 1, quiet } = options
  const workers = chooseWorkers({ asked: options.workers, env: terminal.env, parallel })
  const board = await createProgressBoard(terminal, quiet === true)
  const limit = pLimit(parallel)
  const context = { options: { ...options, workers }, terminal: board.terminal, isOneOfSeveral: runnables.length > 1 }
  let isStopped = false
  const runs = runnables.map(async (runnable) =>
    limit(async () => {
      if (isStopped) return null
      const outcome = await runOne(runnable, board, context)
      isStopped ||= !outcome.ok && outcome.error.code === 'INTERRUPTED'
      return outcome
    }),
  )
  const outcomes = await Promise.all(runs)
  return outcomes.filter((outcome) => outcome !== null)
}

interface CallContext {
  readonly options: RunInput
  readonly terminal: Terminal
  readonly isOneOfSeveral: boolean
}

async function runOne(
  { file, plan, own, env, listNotes }: Runnable,
  board: ProgressBoard,
  context: CallContext,
): Promise<RunOutcome> {
  const run = randomBytes(6).toString('hex')
  const startedAt = new Date()
  const progress = board.open({ run })
  const warnings = new RunWarnings(plan.name, run, context)
  const toTimes = () => ({
    pipeline: plan.name,
    run,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
  })
  try {
    const notes = await listNotes()
    logStart(plan, run, notes, context)
    const { stdin, signal } = context.terminal
    const report = await runAsAsked(plan, {
      ...context.options,
      own,
      run,
      envFiles: context.options.env,
      env,
      stdin,
      signal,
      notes,
      onWarning: warnings.take,
      onProgress: (at) => progress.show(at),
      onSource: (source) => logSource(plan.name, run, source, context),
    })
    const outcome = { ...toTimes(), ok: true, report } as const
    progress.stop()
    logReport(report, outcome, file, context)
    return outcome
  } catch (thrown) {
    progress.stop()
    const outcome = { ...toTimes(), ok: false, error: toCatalogueError(thrown) } as const
    warnings.release()
    logFailure(outcome.error, outcome, context)
    return outcome
  }
}

/** The warnings of a run. If its report is shown, warnings that the report repeats are logged only if the run fails. */
class RunWarnings {
  readonly #log: (message: string) => void
  readonly #isReportShown: boolean
  readonly #held: string[] = []

  constructor(pipeline: string, run: string, { options: { quiet }, terminal }: CallContext) {
    this.#isReportShown = !quiet && terminal.log === undefined
    this.#log = (message) => {
      const text = `${pipeline}: ${message}`
      logEvent(terminal, { level: 'warn', event: 'run.warning', message: text, pipeline, run }, () => text)
    }
  }

  readonly take: NonNullable<RunOptions['onWarning']> = (message, about) => {
    if (about?.isReported === true && this.#isReportShown) this.#held.push(message)
    else this.#log(message)
  }

  release(): void {
    for (const message of this.#held) this.#log(message)
  }
}

/** The options of one run; `env` has variables here, not files. */
type AskedOptions = Omit<RunInput, 'env'> & RunOptions & Pick<Runnable, 'own'> & { readonly envFiles: RunInput['env'] }

/** Runs a plan: from its history with `--as-of`, on Spark with `--engine`, shard by shard with `--plan`. */
async function runAsAsked(plan: PipelinePlan, options: AskedOptions): Promise<Manifest> {
  const { engine, plan: folder, asOf, own, env = process.env } = options
  if (asOf !== undefined && own !== undefined)
    return (await import('../inspect/history/run-as-of.ts')).runAsOf(own, plan, asOf, { ...options, env })
  if (engine === undefined && folder === undefined) return runPlan(plan, options)
  const { runInShards } = await import('../shards/run-in-shards.ts')
  return runInShards(plan, options)
}

function logSource(pipeline: string, run: string, source: string, { terminal }: CallContext): void {
  // The report names the sources to people.
  if (terminal.log?.format !== 'json') return
  const message = `${pipeline}: reads ${source}`
  logEvent(terminal, { level: 'info', event: 'source.opened', message, pipeline, run, source }, () => '')
}

function logStart(
  plan: PipelinePlan,
  run: string,
  notes: readonly string[],
  { options: { quiet }, terminal }: CallContext,
): void {
  if (terminal.log?.format === 'json') logEvent(terminal, toStartedEvent(plan, run), () => '')
  if (quiet) return
  for (const note of notes) {
    const message = `${plan.name}: note: ${note}`
    logEvent(terminal, { level: 'info', event: 'note', message, pipeline: plan.name, run }, () => message)
  }
}

function logReport(
  report: Manifest,
  outcome: RunOutcome,
  file: string,
  { options: { quiet }, terminal }: CallContext,
): void {
  if (quiet) return
  const { stderr, env } = terminal
  const event = toPublishedEvent(report, outcome)
  logEvent(terminal, event, () => renderReport(report, colorsFor(stderr, env), stderr.columns, file))
}

function logFailure(error: CatalogueError, outcome: RunOutcome, { isOneOfSeveral, terminal }: CallContext): void {
  const { stderr, env } = terminal
  const name = isOneOfSeveral ? outcome.pipeline : undefined
  logEvent(terminal, toFailedEvent(error, outcome), () => renderError(error, colorsFor(stderr, env), name))
}

function toStartedEvent({ name: pipeline, source, records: { contract } }: PipelinePlan, run: string): LoggedEvent {
  const from =
    source.kind === 'service' ? { endpoint: source.endpoint, baseUrl: source.baseUrl } : { files: source.files }
  return { level: 'info', event: 'run.started', message: `${pipeline}: started`, pipeline, run, contract, source: from }
}

function toPublishedEvent(report: Manifest, { run, durationMs }: RunOutcome): LoggedEvent {
  const { pipeline, runId, ledger, completeness, tables, rejects, manifest, files, sources, state, databases, drift } =
    report
  const written = countFiles(files)
  return {
    level: 'info',
    event: 'run.published',
    message: `${pipeline}: published ${ledger.accepted} of ${ledger.lines} lines in ${(durationMs / 1000).toFixed(2)} s`,
    pipeline,
    run,
    runId,
    durationMs,
    ledger,
    completeness: completeness.status,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    readBytes: sumBytes(sources),
    ...(state && { kind: state.kind, changes: state.changes, stale: state.stale?.records ?? 0 }),
    ...(databases && { databases: databases.map(({ target, changes }) => ({ target, changes })) }),
    files: written.count,
    fileBytes: written.bytes,
    rejects: rejects.count,
    invalidValues: listPlaces(drift, 'invalidValues').reduce((sum, { count }) => sum + count, 0),
    manifest,
  }
}

function toFailedEvent(error: CatalogueError, { pipeline, run, durationMs }: RunOutcome): LoggedEvent {
  return { ...toErrorJson(error), level: 'error', event: 'run.failed', pipeline, run, durationMs }
}

interface RunTimes {
  readonly pipeline: string
  readonly run: string
  readonly startedAt: string
  readonly durationMs: number
}

export type RunOutcome =
  | (RunTimes & { readonly ok: true; readonly report: Manifest })
  | (RunTimes & { readonly ok: false; readonly error: CatalogueError })

/** The JSON document of a call, described by docs/run-report.schema.json. */
export function toRunDocument(outcomes: readonly RunOutcome[]) {
  return {
    ok: outcomes.every(({ ok }) => ok),
    exitCode: chooseExitCode(outcomes),
    runs: outcomes.map((outcome) =>
      outcome.ok
        ? { ...outcome, findings: listFindings(outcome.report) }
        : { ...outcome, error: toErrorJson(outcome.error) },
    ),
  }
}

/**
 * The worst exit code, in this order: interrupted; codes that need a human (a defect, the config, an output, the data);
 * codes that a retry may get past (the source, a lock); success.
 */
export function chooseExitCode(outcomes: readonly RunOutcome[]): number {
  const codes = new Set<number>(outcomes.map((outcome) => (outcome.ok ? exitCodes.published : outcome.error.exitCode)))
  const { interrupted, unexpected, usage, output, tooManyRejects, source, locked, published } = exitCodes
  const worstFirst = [interrupted, unexpected, usage, output, tooManyRejects, source, locked, published]
  return worstFirst.find((code) => codes.has(code)) ?? exitCodes.unexpected
}
