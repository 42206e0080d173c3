import { toCatalogueError } from '../../errors.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { ReportManifest } from '../../report/report-manifest.ts'
import type { RunContext } from '../../run-context.ts'
import type { EndedStage, FinishedRun, RunObserver } from './run-observer.ts'

export interface ObservedOptions extends Pick<RunContext, 'env' | 'onWarning'> {
  /** The observation that this work is a part of. Default: one of its own. */
  readonly observation?: Observation | undefined
  /** Gets the report of a run that is refused for its input. */
  readonly onRefused?: ((report: ReportManifest) => void) | undefined
}

/**
 * Does work that publishes the outputs of a pipeline, before the observers that config and environment ask for. The
 * result and errors are those of the work.
 */
export async function observeRun(
  plan: PipelinePlan,
  { observation, env = process.env, onWarning, onRefused }: ObservedOptions,
  work: (observation: Observation) => Promise<Manifest>,
): Promise<Manifest> {
  if (observation !== undefined) return work(observation)
  const own = new Observation(await openObservers(plan, env), onWarning)
  own.start(plan)
  const end = await endOf(work(own), own)
  await own.finish(end)
  if (own.refused !== null) onRefused?.(own.refused)
  if (end.outcome === 'failed') throw end.thrown
  return end.report
}

async function endOf(work: Promise<Manifest>, observation: Observation) {
  try {
    const report = await work
    return { outcome: 'published', report, finishedAt: new Date() } as const
  } catch (thrown) {
    const { refused: report } = observation
    return { outcome: 'failed', thrown, error: toCatalogueError(thrown), report, finishedAt: new Date() } as const
  }
}

/** Loads the observers that config and environment ask for, which are none in most runs. */
async function openObservers(plan: PipelinePlan, env: NonNullable<RunContext['env']>): Promise<RunObserver[]> {
  const opened: RunObserver[] = []
  if (env['DAGSTER_PIPES_CONTEXT'] !== undefined) {
    const { DagsterObserver } = await import('./dagster/dagster-observer.ts')
    opened.push(new DagsterObserver(env))
  }
  if (asksForLineage(plan, env)) {
    const { LineageObserver } = await import('./lineage/lineage-observer.ts')
    opened.push(new LineageObserver(plan, env))
  }
  if (asksForTrace(env)) {
    const { TraceObserver } = await import('./trace/trace-observer.ts')
    opened.push(new TraceObserver(env))
  }
  return opened
}

function asksForLineage({ report }: PipelinePlan, env: NonNullable<RunContext['env']>): boolean {
  if (isTrue(env['OPENLINEAGE_DISABLED'])) return false
  return report.lineage !== undefined || Boolean(env['OPENLINEAGE_URL'])
}

/** True if the environment names a collector of traces. */
export function asksForTrace(env: NonNullable<RunContext['env']>): boolean {
  if (isTrue(env['OTEL_SDK_DISABLED']) || !['', 'otlp'].includes(env['OTEL_TRACES_EXPORTER']?.trim() ?? ''))
    return false
  return Boolean(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'])
}

function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true'
}

/** One run and its observers. */
export class Observation {
  /** Set by a run that is refused for its input, before it ends. */
  refused: ReportManifest | null = null
  readonly #observed: readonly ObservedBy[]
  readonly #onWarning: RunContext['onWarning']

  constructor(observers: readonly RunObserver[], onWarning?: RunContext['onWarning']) {
    this.#observed = observers.map((observer) => new ObservedBy(observer))
    this.#onWarning = onWarning
  }

  start(plan: PipelinePlan): void {
    const run = { plan, startedAt: new Date() }
    for (const each of this.#observed) each.notify((observer) => observer.started?.(run))
  }

  readonly endStage = (stage: EndedStage): void => {
    for (const each of this.#observed) each.notify((observer) => observer.stage?.(stage))
  }

  /** Waits for the observers, at most two seconds for all of them, and warns of those that failed. */
  async finish(end: FinishedRun): Promise<void> {
    if (this.#observed.length === 0) return
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), mostWaitMs)
    await Promise.all(this.#observed.map((each) => each.finish(end, late.signal)))
    clearTimeout(timer)
    for (const { failure } of this.#observed) if (failure !== null) this.#onWarning?.(failure)
  }
}

/** For work beside the pipelines of users, which is reported to nobody. */
export const unobserved = new Observation([])

const mostWaitMs = 2000

class ObservedBy {
  /** A collector that is down would say the same of every event. */
  #failure: string | null = null
  readonly #observer: RunObserver
  #notified: Promise<unknown> = Promise.resolve()

  constructor(observer: RunObserver) {
    this.#observer = observer
  }

  /** In words; null if all was sent. */
  get failure(): string | null {
    const { name, hasSent } = this.#observer
    return this.#failure && `${name}: ${hasSent ? 'not everything' : 'nothing'} was sent: ${this.#failure}`
  }

  notify(call: (observer: RunObserver) => void | Promise<void>): void {
    this.#notified = Promise.all([this.#notified, this.#try(call)])
  }

  async finish(end: FinishedRun, signal: AbortSignal): Promise<void> {
    const notified = this.#notified.then(() => this.#try((observer) => observer.finished?.(end, signal)))
    const late = new Promise<'late'>((resolve) => signal.addEventListener('abort', () => resolve('late')))
    if ((await Promise.race([notified, late])) === 'late')
      this.#failure ??= `no answer within ${mostWaitMs / 1000} s after the end of the run`
  }

  async #try(call: (observer: RunObserver) => void | Promise<void>): Promise<void> {
    try {
      await call(this.#observer)
    } catch (error) {
      this.#failure ??= toCatalogueError(error).message
    }
  }
}
