import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { types } from 'node:util'
import { planPipeline } from '../../plan/plan-pipeline.ts'
import type { PipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { CatalogueError } from '../../errors.ts'
import type { TimeWindow } from '../../loads/state/list-windows.ts'
import type { StagingOptions } from '../outputs/outputs.ts'
import { listWarnings } from '../../report/facts.ts'
import type { RunContext } from '../../run-context.ts'
import { type Frame, inFrame, ofPipeline } from '../frame.ts'
import { type ObservedOptions, observeRun } from '../observe/observe-run.ts'
import { watchCallbacks } from '../../watch-callbacks.ts'
import { RunHistory } from '../outputs/run-history.ts'
import { listDoubts } from '../doubts/list-doubts.ts'
import { checkPast, checkRun } from './check-run.ts'
import { chooseWorkers, mostWorkers } from '../../kernel/encode/choose-workers.ts'
import { openRereadable } from '../reading/open-rereadable.ts'
import type { SourceContext } from '../reading/open-sources.ts'
import type { ReadEnd } from '../reading/read-lines.ts'
import {
  aFunction,
  aNumber,
  anObject,
  aReadable,
  aSignal,
  aText,
  either,
  listOf,
  type OptionKinds,
  requireOptions,
  toKind,
  trueOrFalse,
  wholeNumber,
} from '../../check-options.ts'
import { transform, type RunProgress } from './transform.ts'
import { readToolVersion } from '../../package-file.ts'
import { chooseKernel } from '../../records/memory/load-kernel.ts'
import { toRunReport } from './run-report.ts'
import { RunResources, unchanged } from './run-resources.ts'
import { toWholeRun, type RunTask } from './run-task.ts'
import type { Manifest } from '../../manifest/manifest.ts'

export interface RunOptions extends Pick<RunContext, 'signal' | 'env' | 'now' | 'onWarning'> {
  /** Reads only the first lines, to publish a sample. */
  readonly limit?: number | undefined
  /** Replaces a leading `out/` in relative paths. */
  readonly outDir?: string | undefined
  /**
   * Number of encoding threads, 0 to 64, besides the main thread, which helps when they are busy. Default:
   * CATALOGUE_WORKERS, else one less than the number of cores, at most 8. The number does not change the outputs. The
   * runs of a process share their threads, and take turns at reading.
   */
  readonly workers?: number | undefined
  readonly stdin?: Readable | undefined
  readonly fullRefresh?: boolean | undefined
  /** Removes files that an earlier config of the pipeline left, after publishing. Default: lists them. */
  readonly prune?: boolean | undefined
  /** Reads the changes of this span only, for a plan with `incremental`, without affecting the next run. */
  readonly window?: TimeWindow | undefined
  /** Edited rejects files, whose changed lines replace the rejected ones. */
  readonly fixed?: string | readonly string[] | undefined
  readonly notes?: readonly string[] | undefined
  /**
   * Name of this run in its lock, staging files and reports: letters, digits, `_` and `-`. It has to be unique.
   * Default: random.
   */
  readonly run?: string | undefined
  /**
   * Waits for another run of the pipeline to end: true without a limit, a number for at most so many milliseconds.
   * Default false: throws LOCKED at once.
   */
  readonly wait?: boolean | number | undefined
  /** Called when reading of a source begins, with its path or request. */
  readonly onSource?: ((name: string) => void) | undefined
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
}

/**
 * Runs a pipeline and publishes its outputs, or throws a CatalogueError and leaves the earlier outputs unchanged
 * (DESIGN: what a run leaves). What a callback throws or rejects with ends the run, and is thrown as it is.
 */
export async function runPipeline(config: PipelineConfig, options: RunOptions = {}): Promise<Manifest> {
  requireOptions('runPipeline', options, runOptions)
  return watchCallbacks(options, (watched) => runPlan(planPipeline(config, options), watched))
}

export const runOptions: OptionKinds<RunOptions> = {
  signal: aSignal,
  env: anObject,
  now: aFunction,
  onWarning: aFunction,
  limit: wholeNumber(1),
  outDir: aText,
  workers: wholeNumber(0, mostWorkers),
  stdin: aReadable,
  fullRefresh: trueOrFalse,
  prune: trueOrFalse,
  window: toKind('an object with the dates since and until', isWindow),
  fixed: either(aText, listOf(aText)),
  notes: listOf(aText),
  run: toKind('a name of letters, digits, _ and -', (name) => typeof name === 'string' && /^[\w-]+$/.test(name)),
  wait: either(trueOrFalse, aNumber(0)),
  onSource: aFunction,
  onProgress: aFunction,
}

function isWindow(value: unknown): boolean {
  const { since, until } = (value ?? {}) as Partial<TimeWindow>
  return types.isDate(since) && types.isDate(until)
}

type PlanRunOptions = RunOptions & ObservedOptions & Pick<SourceContext, 'stdinName'> & Pick<RunContext, 'settle'>

export async function runPlan(plan: PipelinePlan, options: PlanRunOptions = {}): Promise<Manifest> {
  const { run, wait, signal, onWarning } = options
  return observeRun(plan, options, (observation) => {
    const resources = new RunResources(observation)
    const abandon = (error: CatalogueError) => resources.abandon(error, plan.report)
    const pipeline = ofPipeline(plan.name, plan.report, plan.outputs, options)
    const frame = { ...pipeline, noun: 'run', run, wait, unchanged, abandon, signal, onWarning }
    const published = inFrame(frame, (opened) => runInFrame(plan, options, resources, opened))
    return published.finally(() => resources.stages.end())
  })
}

async function runInFrame(
  plan: PipelinePlan,
  options: PlanRunOptions,
  resources: RunResources,
  { token, storage, releases, confirmLock }: Frame,
): Promise<Manifest> {
  const startedAt = new Date()
  const { stdin = process.stdin, signal = new AbortController().signal, env = process.env, onWarning } = options
  const { limit = null, notes = [], stdinName } = options
  releases.push(() => resources.release())
  const workers = chooseWorkers({ asked: options.workers, env })
  const kind = options.window ? 'backfill' : limit === null ? undefined : 'sample'
  const history = RunHistory.of(plan.report, { storage, token, onWarning, kind })
  resources.history = history
  const task = await chooseTask(plan, { storage, token, confirmLock, history }, options)
  resources.isReplay = task.fixed !== undefined
  releases.push(async () => task.fixed?.close())
  const rereading = { token, stdin, stdinName, env, signal, onWarning, releases, open: task.openSources }
  const sources = await openRereadable(task.plan, rereading)
  const begin = async () => {
    const encoder = await resources.openEncoder(task.encoding, sources, workers)
    const outputs = await task.openOutputs(encoder.encodeGroup)
    resources.outputs = outputs
    return { encoder, outputs }
  }
  const open = { plan: task.plan, encoding: task.encoding, sources, begin }
  const { encoder, outputs, counters, read } = await transform(open, { ...options, workers, signal }, resources)
  if (task.isDelta !== true)
    counters.doubts = await listDoubts(task.plan, counters, sources, { signal, isFast: encoder.isFast })
  await outputs.writeBroken(counters)
  const tool = { ...readToolVersion(), kernel: chooseKernel().target }
  const runId = toRunId(plan.records, plan.outputs, tool.version, read, options)
  const facts = { runId, tool, startedAt, counters, read, fixed: task.fixed, notes: [...notes, ...task.notes] }
  resources.read = { plan, ...facts }
  checkRun(task.plan, counters, read, limit, outputs)
  resources.stages.enter('finish outputs')
  const finished = await outputs.finish({ ...facts, limit })
  await checkPast(plan, counters, finished, { history, storage })
  const report = toRunReport({ ...resources.read, ...resources.end(), finished })
  for (const message of listWarnings(report)) onWarning?.(message, { isReported: true })
  await options.settle?.()
  await confirmLock()
  // The threads can end during publication. The release awaits that and throws its error.
  encoder.close().catch(() => undefined)
  resources.stages.enter('publish')
  const { databases } = await outputs.publish(report)
  resources.outputs = null
  return { ...report, ...(databases && { databases }) }
}

async function chooseTask(plan: PipelinePlan, staging: StagingOptions, options: RunOptions): Promise<RunTask> {
  const { fixed } = options
  const { stateful } = plan.outputs
  if (fixed === undefined && stateful === null) return toWholeRun(plan, staging, options)
  // Loaded lazily, as other runs don't need them.
  const { toLoadRun, toReplayRun } = await import('./replay-task.ts')
  if (fixed !== undefined) return toReplayRun(plan, staging, [fixed].flat(), options)
  return toLoadRun(plan, stateful as NonNullable<typeof stateful>, staging, options)
}

function toRunId(
  records: RecordsPlan,
  outputs: OutputsPlan,
  version: string,
  { inputDigest }: ReadEnd,
  { limit = 0 }: RunOptions,
): string {
  const { contract, contractVersion, corrections = [] } = records
  const corrected = corrections.length > 0 ? [corrections] : []
  const identity = [version, contract, contractVersion, outputs.configHash, limit, inputDigest, ...corrected]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}
