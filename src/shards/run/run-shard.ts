import { hostname } from 'node:os'
import { chooseWorkers } from '../../kernel/encode/choose-workers.ts'
import type { EncodingPlan } from '../../kernel/encode/encoding-plan.ts'
import { type Frame, inFrame } from '../../engine/frame.ts'
import { RunResources } from '../../engine/run/run-resources.ts'
import { listCounted, toPlannedEncoding } from '../../engine/run/run-task.ts'
import type { ReadEnd } from '../../engine/reading/read-lines.ts'
import type { RunCounters } from '../../engine/reading/run-counters.ts'
import { transform, type RunProgress } from '../../engine/run/transform.ts'
import { type CatalogueError, toCatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { createObjectReader } from '../../storage/s3/create-object-reader.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import { isOfStorage } from '../../storage/s3/storage-operation.ts'
import { openStorage } from '../../storage/open-storage.ts'
import type { RunContext } from '../../run-context.ts'
import { attemptFolder, planPathOf, type ShardStage } from '../attempt-paths.ts'
import { readExcluded } from '../ids/excluded-lines.ts'
import { findShard, openShardPlan, readShardPlan, type Shard, type ShardPlan } from '../shard-plan.ts'
import {
  digestFacts,
  type SegmentFacts,
  type ShardFacts,
  type ShardFailure,
  type ShardResult,
} from '../shard-result.ts'
import { EvidenceLog, notJudged } from './evidence-log.ts'
import { locateInFile } from './locate-in-file.ts'
import { openSegments } from './open-segments.ts'
import { ShardOutputs } from './shard-outputs.ts'
import { toPlainCounts } from './plain-counts.ts'

export interface RunShardOptions extends Pick<RunContext, 'signal' | 'env' | 'onWarning'> {
  /** `ids` reads only the ids, for `resolveIds`. Default `rows`. */
  readonly stage?: ShardStage | undefined
  readonly workers?: number | undefined
  readonly onSource?: ((name: string) => void) | undefined
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
}

/**
 * Runs one shard of the plan in a folder. Its files go into a folder of this attempt, the result last. Rejects and
 * incomplete sources don't fail a shard, as the commit judges the whole. A failure because of the data is a result,
 * too; any other failure is thrown, and leaves nothing.
 */
export async function runShard(folder: string, number: number, options: RunShardOptions = {}): Promise<ShardResult> {
  const { env = process.env, stage = 'rows' } = options
  const { plan, storage } = await openShardPlan(folder, env)
  try {
    const shard = findShard(plan, number)
    const frame = {
      name: plan.pipeline.name,
      noun: 'shard',
      storage,
      homes: [],
      abandon: () => Promise.resolve(nothingLeft),
      signal: options.signal,
    }
    return await inFrame(frame, ({ token, releases }) => {
      const attempt = { plan, shard, stage, storage, token, folder, home: attemptFolder(folder, stage, number, token) }
      return new ShardRun(attempt, options, releases).run()
    })
  } finally {
    await storage.close()
  }
}

/** Throws USAGE if the plan lacks one of these shards, and what reading the plan throws. */
export async function checkShards(
  folder: string,
  numbers: readonly number[],
  { env = process.env }: Pick<RunShardOptions, 'env'>,
): Promise<void> {
  const storage = await openStorage(planPathOf(folder), env)
  try {
    const plan = await readShardPlan(folder, storage)
    for (const number of numbers) findShard(plan, number)
  } finally {
    await storage.close()
  }
}

interface Attempt {
  readonly plan: ShardPlan
  readonly shard: Shard
  readonly stage: ShardStage
  readonly storage: FileStorage
  readonly token: string
  readonly folder: string
  /** The folder of the attempt within `folder`, which is that of the plan. */
  readonly home: string
}

class ShardRun {
  readonly #attempt: Attempt
  readonly #options: RunShardOptions
  readonly #resources = new RunResources()
  readonly #objects: ObjectReader
  readonly #startedAt = new Date()
  #outputs: ShardOutputs | null = null

  constructor(attempt: Attempt, options: RunShardOptions, releases: Frame['releases']) {
    this.#attempt = attempt
    this.#options = options
    this.#objects = createObjectReader(options.env ?? process.env)
    releases.push(async () => this.#objects.close())
    releases.push(() => this.#resources.release())
  }

  async run(): Promise<ShardResult> {
    try {
      const { plan, shard, stage, folder, home, storage, token } = this.#attempt
      const { signal = new AbortController().signal, env = process.env } = this.#options
      const workers = chooseWorkers({ asked: this.#options.workers, env })
      const excluded = stage === 'ids' ? null : await readExcluded(folder, plan, shard.number, storage)
      const sources = await openSegments(shard, plan.pipeline, this.#objects)
      const encoding = toEncoding(this.#attempt)
      const begin = async () => {
        const encoder = await this.#resources.openEncoder(encoding, sources, workers)
        const { encodeGroup } = encoder
        const opened = { plan, stage, shard: shard.number, folder: home, token, storage, encodeGroup }
        this.#outputs = await ShardOutputs.open(opened)
        return { encoder, outputs: this.#outputs }
      }
      const logs: EvidenceLog[] = []
      const openTracker = (): EvidenceLog => {
        const log = new EvidenceLog()
        logs.push(log)
        return log
      }
      const open = { plan: toTransformed(plan), encoding, sources, begin }
      const reading = {
        ...this.#options,
        signal,
        workers,
        excluded,
        openTracker,
        countsIds: false,
        onWarning: undefined,
      }
      const { outputs, counters, read } = await transform(open, reading, this.#resources)
      this.#resources.stages.enter('finish outputs')
      const { facts: written, paths } = await outputs.finish()
      const resolution = excluded?.resolution ?? null
      const facts = { ...toFacts(encoding, counters, read, logs), ...written, resolution }
      const result = this.#toResult({ facts, files: paths, failure: null })
      await outputs.publish(result)
      return result
    } catch (thrown) {
      await this.#outputs?.discard()
      return await this.#fail(thrown)
    }
  }

  /** Publishes a lasting failure as the result; throws any other. */
  async #fail(thrown: unknown): Promise<ShardResult> {
    const { signal } = this.#options
    const error = toCatalogueError(thrown)
    if (signal?.aborted === true || !isLasting(error)) throw thrown
    const { code, message } = error
    const failure: ShardFailure = { code, message: await locateInFile(message, this.#attempt.shard, this.#objects) }
    const result = this.#toResult({ facts: null, files: null, failure })
    await ShardOutputs.publishFailure(result, this.#attempt)
    return result
  }

  #toResult(outcome: Pick<ShardResult, 'facts' | 'files' | 'failure'>): ShardResult {
    const { plan, shard, token } = this.#attempt
    return {
      format: 1,
      planId: plan.planId,
      shard: shard.number,
      attempt: token,
      host: hostname(),
      startedAt: this.#startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      stages: this.#resources.stages.list(),
      digest: digestFacts(outcome.facts),
      ...outcome,
    }
  }
}

/** True if the data is the cause of a failure, so that any attempt would fail in the same way. */
function isLasting(error: CatalogueError): boolean {
  const { code } = error
  if (code === 'SOURCE_ERROR_LINE' || code === 'SOURCE_DAMAGED') return true
  // The failure of a read by the system or a storage may be gone elsewhere, or later.
  return code === 'SOURCE_FAILED' && !isOfStorage(error)
}

const nothingLeft = 'This attempt left nothing; other attempts and shards are as they were.'

function toEncoding({ plan: { pipeline }, stage }: Attempt): EncodingPlan {
  return stage === 'ids' ? { records: pipeline.records, files: [] } : toPlannedEncoding(pipeline)
}

/** Reads each segment as a part of its own. */
function toTransformed({ pipeline }: ShardPlan): ShardPlan['pipeline'] {
  return { ...pipeline, source: { ...pipeline.source, parts: false } }
}

function toFacts(
  encoding: EncodingPlan,
  counters: RunCounters,
  read: ReadEnd,
  logs: readonly EvidenceLog[],
): Omit<ShardFacts, 'files' | 'rejects' | 'ids' | 'unique' | 'resolution'> {
  const segments = read.sources.map(({ lines, bytes, completeness, landed, notes }, at): SegmentFacts => {
    const evidence = logs[at]?.list() ?? { runs: [], document: null, isCut: false }
    const verdict = completeness === notJudged ? null : completeness
    return { lines, bytes, evidence, verdict, ...(landed && { landed }), ...(notes && { notes }) }
  })
  return {
    segments,
    inputDigest: read.inputDigest,
    totals: counters.toTotals(),
    rowCounts: toPlainCounts(listCounted(encoding), counters.rowCounts),
  }
}
