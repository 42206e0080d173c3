import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { chooseWorkers } from '../encode/choose-workers.ts'
import { runPlan } from '../engine/run/run-pipeline.ts'
import type { RunReport } from '../engine/run/run-report.ts'
import { toCatalogueError, type CatalogueError } from '../errors.ts'
import { createProgressBoard } from './render/progress.ts'
import type { ProgressBoard, ProgressView } from './render/progress-view.ts'
import { renderError } from './render/render-error.ts'
import { renderReport } from './render/render-report.ts'
import { toFailedEvent, toPublishedEvent, toStartedEvent } from './log/run-events.ts'
import type { RunOutcome } from './run-outcome.ts'
import { colorsFor, tell, type Terminal } from './terminal.ts'

/** A plan, and what is worth telling of how it is read. */
export interface Runnable {
  readonly plan: PipelinePlan
  readonly listNotes: () => Promise<readonly string[]>
}

export interface RunPipelinesOptions {
  readonly limit?: number | undefined
  readonly fullRefresh?: boolean | undefined
  readonly workers?: number | undefined
  readonly outDir?: string | undefined
  readonly wait?: boolean | number | undefined
  /** How many at a time. */
  readonly parallel: number
  readonly isQuiet: boolean
}

/**
 * Runs pipelines, in order, some at a time, and says how each ends; one that fails does not keep the others from running.
 * Once the terminal's signal aborts those that go on end, and no other begins. The outcomes are in the order of the plans.
 */
export async function runPipelines(
  runnables: readonly Runnable[],
  options: RunPipelinesOptions,
  terminal: Terminal,
): Promise<RunOutcome[]> {
  const board = await createProgressBoard(terminal, options.isQuiet)
  const limit = pLimit(options.parallel)
  const isOneOfSeveral = runnables.length > 1
  let isStopped = false
  const runs = runnables.map(async (runnable) =>
    limit(async () => {
      if (isStopped) return null
      const outcome = await runOne(runnable, options, board, isOneOfSeveral)
      isStopped ||= !outcome.ok && outcome.error.code === 'INTERRUPTED'
      return outcome
    }),
  )
  const outcomes = await Promise.all(runs)
  return outcomes.filter((outcome) => outcome !== null)
}

async function runOne(
  { plan, listNotes }: Runnable,
  options: RunPipelinesOptions,
  board: ProgressBoard,
  isOneOfSeveral: boolean,
): Promise<RunOutcome> {
  const { terminal } = board
  const run = randomBytes(6).toString('hex')
  const startedAt = new Date()
  const progress = board.open({ run })
  const toTimes = () => ({
    pipeline: plan.name,
    run,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
  })
  try {
    const notes = await listNotes()
    tellStart(plan, run, notes, options, terminal)
    const report = await runPlan(plan, toRunOptions(plan, run, notes, options, terminal, progress))
    const outcome = { ...toTimes(), ok: true, report } as const
    progress.stop()
    tellReport(report, outcome, options, terminal)
    return outcome
  } catch (thrown) {
    progress.stop()
    const outcome = { ...toTimes(), ok: false, error: toCatalogueError(thrown) } as const
    tellFailure(outcome.error, outcome, isOneOfSeveral, terminal)
    return outcome
  }
}

function toRunOptions(
  { name: pipeline }: PipelinePlan,
  run: string,
  notes: readonly string[],
  { limit, fullRefresh, workers, outDir, wait, parallel }: RunPipelinesOptions,
  terminal: Terminal,
  progress: ProgressView,
): Parameters<typeof runPlan>[1] {
  const { stdin, env, signal } = terminal
  return {
    limit,
    fullRefresh,
    workers: chooseWorkers({ asked: workers, env, parallel }),
    outDir,
    stdin,
    env,
    signal,
    notes,
    run,
    wait,
    onProgress: (at) => progress.show(at),
    onSource(source) {
      // People see it in the report.
      if (terminal.log?.format !== 'json') return
      tell(
        terminal,
        { level: 'info', event: 'source.opened', message: `${pipeline}: reads ${source}`, pipeline, run, source },
        () => '',
      )
    },
    onWarning(message) {
      const text = `${pipeline}: ${message}`
      tell(terminal, { level: 'warn', event: 'run.warning', message: text, pipeline, run }, () => text)
    },
  }
}

function tellStart(
  plan: PipelinePlan,
  run: string,
  notes: readonly string[],
  { isQuiet }: RunPipelinesOptions,
  terminal: Terminal,
): void {
  if (terminal.log?.format === 'json') tell(terminal, toStartedEvent(plan, run), () => '')
  if (isQuiet) return
  for (const note of notes) {
    const message = `${plan.name}: note: ${note}`
    tell(terminal, { level: 'info', event: 'note', message, pipeline: plan.name, run }, () => message)
  }
}

function tellReport(
  report: RunReport,
  outcome: RunOutcome,
  { isQuiet }: RunPipelinesOptions,
  terminal: Terminal,
): void {
  if (isQuiet) return
  const { stderr, env } = terminal
  tell(terminal, toPublishedEvent(report, outcome), () => renderReport(report, colorsFor(stderr, env), stderr.columns))
}

function tellFailure(error: CatalogueError, outcome: RunOutcome, isOneOfSeveral: boolean, terminal: Terminal): void {
  const { stderr, env } = terminal
  const name = isOneOfSeveral ? outcome.pipeline : undefined
  tell(terminal, toFailedEvent(error, outcome), () => renderError(error, colorsFor(stderr, env), name))
}
