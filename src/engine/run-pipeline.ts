import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { planPipeline } from '../config/plan-pipeline.ts'
import type { PipelineConfig } from '../config/pipeline-schema.ts'
import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { CatalogueError, toCatalogueError } from '../errors.ts'
import type { FileLock } from '../locks/file-lock.ts'
import type { Source } from '../sources/source.ts'
import { openStorage } from '../storage/open-storage.ts'
import { activeTokens } from './active-tokens.ts'
import { checkRun } from './check-run.ts'
import { findRepeats, type Repeats } from './find-repeats.ts'
import type { EncodingPlan } from './encode-block.ts'
import { openEncoder, type Encoder } from './open-encoder.ts'
import { openRereadable } from './open-rereadable.ts'
import type { Outputs } from './outputs.ts'
import { lockPipeline } from './pipeline-lock.ts'
import { LineReader, type ReadEnd } from './read-lines.ts'
import { readToolVersion, toRunReport, type RunReport } from './run-report.ts'
import { toLoadRun, toWholeRun, type LoadWindow } from './run-task.ts'
import { settleAll } from './settle-all.ts'
import { Tally } from './tally.ts'

/** How far a run has come. */
export interface RunProgress {
  readonly pipeline: string
  readonly lines: number
  /** Decompressed. */
  readonly bytes: number
  /** As the stream states it; null where it states none. */
  readonly total: number | null
}

export interface RunOptions {
  /** Read only the first lines, on purpose: what is published then is a sample. */
  readonly limit?: number | undefined
  /** Takes the place of a leading `out/` in relative paths. */
  readonly outDir?: string | undefined
  /**
   * How many threads encode blocks, beside the one that reads and writes, which encodes as well when they have enough to
   * do: 0 to 64. Default one less than there are cores, at most 8. The outputs are the same, byte for byte, with any
   * number.
   */
  readonly workers?: number | undefined
  /** Stops the run with INTERRUPTED; nothing is published. */
  readonly signal?: AbortSignal | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly stdin?: Readable | undefined
  /** Reads everything, also where the changes since the last run would do. */
  readonly fullRefresh?: boolean | undefined
  /** Reads what changed in this span only, of a plan with `incremental`, and does not move what the next run begins with. */
  readonly window?: LoadWindow | undefined
  /** Milliseconds since 1970: what `incremental.fullEvery` goes by. Default the system's. */
  readonly now?: (() => number) | undefined
  /** What is worth telling of the call; it goes into the report. */
  readonly notes?: readonly string[] | undefined
  /**
   * Names this run in its lock, its staging files and whatever tells of it: letters, digits, `_` and `-`, others for each
   * run. Default: made up.
   */
  readonly run?: string | undefined
  /**
   * Whether to wait where another run of the pipeline goes on: true for as long as it takes, a number for so many
   * milliseconds. Default false: LOCKED at once.
   */
  readonly wait?: boolean | number | undefined
  /** When a source begins to be read: the path, or what is asked of the service. */
  readonly onSource?: ((name: string) => void) | undefined
  /** After every block. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
  /** Told at once when the service has to be asked again, and why, and when another run has to be waited for. */
  readonly onTrouble?: ((message: string) => void) | undefined
}

/**
 * Runs a pipeline and publishes its outputs, or throws a CatalogueError and leaves the earlier ones as they were
 * (DESIGN: what a run leaves).
 */
export async function runPipeline(config: PipelineConfig, options: RunOptions = {}): Promise<RunReport> {
  return runPlan(planPipeline(config, options), options)
}

/** The same for a plan that is already made. */
export async function runPlan(plan: PipelinePlan, options: RunOptions = {}): Promise<RunReport> {
  const { notes = [] } = options
  const startedAt = new Date()
  const token = options.run ?? randomBytes(6).toString('hex')
  activeTokens.add(token)
  const resources = new RunResources()
  try {
    const { stdin = process.stdin, signal = neverAborted, wait, onTrouble } = options
    // Before anything that an earlier run left is finished, undone or cleared.
    const lock = await lockPipeline(plan, { run: token, wait, signal, onTrouble })
    resources.lock = lock
    const storage = await openStorage(plan.manifest.path, options.env ?? process.env)
    resources.releases.push(() => storage.close())
    const task =
      plan.stateful === null
        ? toWholeRun(plan, storage, token)
        : await toLoadRun(plan, plan.stateful, storage, token, options)
    const context = { token, stdin, signal, onTrouble, releases: resources.releases }
    const sources = await openRereadable(task.plan, context)
    const encoder = await resources.openEncoder(task.encoding, task.encoding.files, sources, options)
    const outputs = await task.openOutputs(encoder.encodeGroup)
    resources.outputs = outputs
    const { tally, read } = await transform(task.plan, sources, encoder, outputs, options, resources)
    checkRun(plan, tally.ledger, read, options.limit ?? null, outputs)
    const tool = readToolVersion()
    const runId = toRunId(plan, tool.version, read, options)
    const finished = await outputs.finish({ runId, startedAt, read, tally })
    const finishedAt = new Date()
    const allNotes = [...notes, ...task.notes]
    const report = toRunReport({ plan, runId, tool, startedAt, finishedAt, tally, read, finished, notes: allNotes })
    await lock.confirm()
    await outputs.publish(report)
    resources.outputs = null
    return report
  } catch (error) {
    throw await resources.abandon(error, plan)
  } finally {
    activeTokens.delete(token)
    await resources.release()
  }
}

/** Reads, encodes and writes every block; some are encoded while others are read and written, all are written in order. */
async function transform(
  plan: PipelinePlan,
  sources: readonly Source[],
  encoder: Encoder,
  outputs: Outputs,
  options: RunOptions,
  resources: RunResources,
): Promise<{ tally: Tally; read: ReadEnd }> {
  const { onProgress } = options
  const repeats = await readRepeats(plan, sources, options, resources)
  const reader = openReader(plan, sources, encoder, options, repeats)
  const tally = new Tally(plan.records.tables.length)
  let bytes = 0
  for await (const block of reader.blocks()) {
    tally.add(block.outcome)
    await outputs.write(block)
    bytes += block.bytes
    onProgress?.({ pipeline: plan.name, lines: tally.ledger.lines, bytes, total: block.outcome.totals[0] ?? null })
  }
  const read = reader.end()
  if (repeats !== null && repeats.inputDigest !== read.inputDigest) {
    const message = `${plan.name}: expected the same bytes in both readings that duplicates: ${plan.duplicates} takes, got others`
    throw new CatalogueError('SOURCE_CHANGED', message)
  }
  return { tally, read }
}

/** Which lines repeat an id, where that has to be known before anything is written: from a reading of its own. */
async function readRepeats(
  plan: PipelinePlan,
  sources: readonly Source[],
  options: RunOptions,
  resources: RunResources,
): Promise<Repeats | null> {
  if (plan.duplicates === 'keep') return null
  const encoder = await resources.openEncoder(plan, [], sources, options)
  const repeats = await findRepeats(openReader(plan, sources, encoder, options, null), plan.duplicates)
  await encoder.close()
  return repeats
}

function openReader(
  plan: PipelinePlan,
  sources: readonly Source[],
  { encodeBlock, ahead }: Encoder,
  { limit, signal = neverAborted, onSource }: RunOptions,
  repeats: Repeats | null,
) {
  const parts = plan.source.kind === 'files' && plan.source.parts
  return new LineReader(sources, {
    process: (block, blockNumber) => encodeBlock(block, repeats?.linesOf(blockNumber)),
    ahead,
    parts,
    limit: limit ?? null,
    signal,
    onSource,
  })
}

const neverAborted = new AbortController().signal

/** The run's identity is what it reads and how: the same input, config and version have the same id. */
function toRunId(plan: PipelinePlan, version: string, { inputDigest }: ReadEnd, { limit = 0 }: RunOptions): string {
  const identity = [version, plan.contract, plan.contractVersion, plan.configHash, limit, inputDigest]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}

/** What has to be given back when a run ends. */
class RunResources {
  outputs: Outputs | null = null
  lock: FileLock | null = null
  /** What gives back connections and copies. */
  readonly releases: (() => Promise<void>)[] = []

  async openEncoder(
    { records }: Pick<PipelinePlan, 'records'>,
    files: EncodingPlan['files'],
    sources: readonly Source[],
    { workers }: RunOptions,
  ): Promise<Encoder> {
    const expectedBytes = sources.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
    const encoder = await openEncoder({ records, files }, { workers, expectedBytes })
    this.releases.push(() => encoder.close())
    return encoder
  }

  async release(): Promise<void> {
    try {
      await settleAll(this.releases.map((release) => release()))
    } finally {
      await this.lock?.release()
    }
  }

  /** Discards the outputs, keeps the rejects, and gives the error that says so. */
  async abandon(thrown: unknown, plan: PipelinePlan): Promise<CatalogueError> {
    const error = toCatalogueError(thrown)
    const hasRejects = (this.outputs?.firstReject ?? null) !== null && error.code !== 'LOCKED'
    const unchanged = 'Nothing was published; the earlier outputs are as they were.'
    const kept = hasRejects ? ` The rejects so far are in ${plan.rejects.path}.` : ''
    try {
      // Without the lock the rejects file is another run's.
      await this.outputs?.discard({ keepRejects: error.code !== 'LOCKED' })
      return error.withOutputs(error.outputs ?? unchanged + kept)
    } catch (discardError) {
      const left = `${unchanged} Staging files may be left: ${toCatalogueError(discardError).message}. The next run clears them.`
      return error.withOutputs(left)
    }
  }
}
