import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { planPipeline } from '../config/plan-pipeline.ts'
import type { PipelineConfig } from '../config/pipeline-schema.ts'
import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { CatalogueError, toCatalogueError } from '../errors.ts'
import type { Source } from '../sources/source.ts'
import { activeTokens } from './active-tokens.ts'
import { checkRun } from './check-run.ts'
import { findRepeats, type Repeats } from './find-repeats.ts'
import type { EncodingPlan } from './encode-block.ts'
import { openEncoder, type Encoder } from './open-encoder.ts'
import { openRereadable } from './open-rereadable.ts'
import { LineReader, type ReadEnd } from './read-lines.ts'
import { RunOutputs } from './run-outputs.ts'
import { readToolVersion, toRunReport, type RunReport } from './run-report.ts'
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
  /** What is worth telling of the call; it goes into the report. */
  readonly notes?: readonly string[] | undefined
  /** After every block. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
  /** Told at once when the service has to be asked again, and why. */
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
  const token = randomBytes(6).toString('hex')
  activeTokens.add(token)
  const resources = new RunResources()
  try {
    const { stdin = process.stdin, signal = neverAborted, onTrouble } = options
    const sources = await openRereadable(plan, { token, stdin, signal, onTrouble, releases: resources.releases })
    const encoder = await resources.openEncoder(plan, plan.files, sources, options)
    const outputs = await RunOutputs.open(plan, token, activeTokens, encoder.encodeGroup)
    resources.outputs = outputs
    const { tally, read } = await transform(plan, sources, encoder, outputs, options, resources)
    checkRun(plan, tally.ledger, read, options.limit ?? null, outputs)
    const tool = readToolVersion()
    const runId = toRunId(plan, tool.version, read, options)
    const written = await outputs.finish(runId)
    const finishedAt = new Date()
    const report = toRunReport({ plan, runId, tool, startedAt, finishedAt, tally, read, written, notes })
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
  outputs: RunOutputs,
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
  { limit, signal = neverAborted }: RunOptions,
  repeats: Repeats | null,
) {
  const parts = plan.source.kind === 'files' && plan.source.parts
  return new LineReader(sources, {
    process: (block, blockNumber) => encodeBlock(block, repeats?.linesOf(blockNumber)),
    ahead,
    parts,
    limit: limit ?? null,
    signal,
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
  outputs: RunOutputs | null = null
  /** What gives back connections and copies. */
  readonly releases: (() => Promise<void>)[] = []

  async openEncoder(
    { records }: PipelinePlan,
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
    await settleAll(this.releases.map((release) => release()))
  }

  /** Discards the outputs, keeps the rejects, and gives the error that says so. */
  async abandon(thrown: unknown, plan: PipelinePlan): Promise<CatalogueError> {
    const error = toCatalogueError(thrown)
    const hasRejects = (this.outputs?.firstReject ?? null) !== null
    const unchanged = 'Nothing was published; the earlier outputs are as they were.'
    const kept = hasRejects ? ` The rejects so far are in ${plan.rejects.path}.` : ''
    try {
      await this.outputs?.discard({ keepRejects: true })
      return error.withOutputs(error.outputs ?? unchanged + kept)
    } catch (discardError) {
      const left = `${unchanged} Staging files may be left: ${toCatalogueError(discardError).message}. The next run clears them.`
      return error.withOutputs(left)
    }
  }
}
