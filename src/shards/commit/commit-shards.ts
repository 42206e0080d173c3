import { createHash } from 'node:crypto'
import { type Frame, inFrame, ofPipeline } from '../../engine/frame.ts'
import { type ObservedOptions, type Observation, observeRun } from '../../engine/observe/observe-run.ts'
import { RunOutputs } from '../../engine/outputs/run-outputs.ts'
import type { StagingOptions } from '../../engine/outputs/outputs.ts'
import { RunHistory } from '../../engine/outputs/run-history.ts'
import { listDoubts } from '../../engine/doubts/list-doubts.ts'
import { checkPast, checkRun } from '../../engine/run/check-run.ts'
import { toRunReport } from '../../engine/run/run-report.ts'
import { RunResources, unchanged } from '../../engine/run/run-resources.ts'
import type { CatalogueError } from '../../errors.ts'
import { checkModes } from '../../loads/state/check-modes.ts'
import { readToolVersion } from '../../package-file.ts'
import { listWarnings } from '../../report/facts.ts'
import type { RunContext } from '../../run-context.ts'
import { isShardPathOf } from '../attempt-paths.ts'
import { openShardPlan, planInvalid, type ShardPlan } from '../shard-plan.ts'
import { addShards, type AddedShards } from './add-shards.ts'
import { adoptParts, listParts } from './adopt-parts.ts'
import { chooseAttempts } from './choose-attempts.ts'
import { joinRejects } from './join-rejects.ts'
import { isRange } from '../plan/cut-segments.ts'
import { readPublished } from './read-published.ts'
import { type PlanPlace, removeAttempts } from './remove-attempts.ts'
import { type FormerRun, readFormerRun } from '../../manifest/former-run.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import { isAbsolutePath } from '../../storage/paths.ts'

export interface CommitShardsOptions extends Pick<RunContext, 'signal'>, ObservedOptions {
  /** Removes the files that an earlier config of the pipeline left. By default they are only listed. */
  readonly prune?: boolean | undefined
  /** Keeps the files of attempts, which are no longer needed. Default false. */
  readonly keep?: boolean | undefined
  readonly wait?: boolean | number | undefined
  readonly notes?: readonly string[] | undefined
}

export interface CommitResult {
  readonly report: Manifest
  /** True if an earlier commit of the same plan has published the report. */
  readonly wasPublished: boolean
}

/**
 * Adds up the shards of a plan and publishes them as a run publishes its outputs: all or nothing, the manifest last,
 * after the same checks on the totals. Throws SHARDS_INCOMPLETE, SHARDS_DIFFER, and all that a run throws at its end.
 */
export async function commitShards(folder: string, options: CommitShardsOptions = {}): Promise<CommitResult> {
  const { env = process.env, keep = false } = options
  const { plan, storage } = await openShardPlan(folder, env)
  try {
    checkFolder(plan)
    let wasPublished = false
    const report = await observeRun(plan.pipeline, options, async (observation) => {
      const result = await new Commit({ folder, plan, storage }, options, observation).run()
      wasPublished = result.wasPublished
      return result.report
    })
    if (!keep) await removeAttempts({ folder, plan, storage }, report, options.onWarning)
    return { report, wasPublished }
  } finally {
    await storage.close()
  }
}

/** Throws PLAN_INVALID in another folder than the plan's, if paths are relative. */
function checkFolder({
  folder,
  pipeline: {
    report: { manifest },
    outputs: { files },
  },
}: ShardPlan): void {
  const isPlaced = [manifest, ...files].every(({ path }) => isAbsolutePath(path))
  if (isPlaced || process.cwd() === folder) return
  const message = `expected to be in ${folder}, where the plan was made and its relative paths begin, got ${process.cwd()}`
  throw planInvalid(message, {
    fix: `\`cd ${folder}\`, then commit again; or make the plan with \`--out\` and an absolute path.`,
  })
}

class Commit {
  readonly #place: PlanPlace
  readonly #options: CommitShardsOptions
  readonly #resources: RunResources
  readonly #startedAt = new Date()

  constructor(place: PlanPlace, options: CommitShardsOptions, observation: Observation) {
    this.#place = place
    this.#options = options
    this.#resources = new RunResources(observation)
  }

  async run(): Promise<CommitResult> {
    const { plan, storage } = this.#place
    const { pipeline } = plan
    const { signal, wait, onWarning } = this.#options
    const abandon = (error: CatalogueError) => this.#resources.abandon(error, pipeline.report)
    const { name, report, outputs } = pipeline
    const home = ofPipeline(name, report, outputs, {})
    const frame = { ...home, storage, noun: 'commit', wait, unchanged, abandon, signal, onWarning }
    const result = inFrame(frame, async (opened) => {
      const published = await readPublished(plan, storage)
      if (published !== null) return { report: published, wasPublished: true }
      const former = await readFormerRun(pipeline.report.manifest.path, pipeline.name, storage)
      await checkModes(pipeline.records, pipeline.outputs, former.listed, storage)
      return { report: await this.#publish(former, opened), wasPublished: false }
    })
    return result.finally(() => this.#resources.stages.end())
  }

  async #publish(former: FormerRun, { token, confirmLock }: Frame): Promise<Manifest> {
    const { folder, plan, storage } = this.#place
    const { pipeline } = plan
    const { signal, onWarning, notes = [] } = this.#options
    const history = RunHistory.of(pipeline.report, { storage, token, onWarning })
    this.#resources.history = history
    const attempts = await chooseAttempts(folder, plan, 'rows', storage)
    const added = await addShards(plan, attempts, storage, signal)
    const outputs = await this.#openOutputs(added, former, { storage, token, history })
    this.#resources.outputs = outputs
    for await (const rejects of joinRejects(plan, added.shards, storage)) {
      signal?.throwIfAborted()
      await outputs.writeRejects(rejects)
    }
    const { counters, read } = added
    counters.doubts = await listDoubts(pipeline, counters, [], { signal: signal ?? new AbortController().signal })
    await outputs.writeBroken(counters)
    const tool = readToolVersion()
    const runId = toRunId(plan, read.inputDigest)
    const sharded = { planId: plan.planId, shards: plan.shards.length }
    const facts = { runId, tool, startedAt: this.#startedAt, counters, read, sharded }
    this.#resources.read = { plan: pipeline, ...facts, notes: [...notes, ...listNotes(plan)] }
    checkRun(pipeline, counters, read, null, outputs)
    this.#resources.stages.enter('finish outputs')
    const finished = await outputs.finish({ ...facts, limit: null })
    await checkPast(pipeline, counters, finished, { history, storage })
    signal?.throwIfAborted()
    const report = toRunReport({ ...this.#resources.read, ...this.#resources.end(), finished })
    for (const message of listWarnings(report)) onWarning?.(message, { isReported: true })
    await confirmLock()
    this.#resources.stages.enter('publish')
    await outputs.publish(report)
    this.#resources.outputs = null
    return report
  }

  #openOutputs({ shards }: AddedShards, former: FormerRun, staging: StagingOptions): Promise<RunOutputs> {
    const { plan } = this.#place
    const { storage, token } = staging
    const { prune = false } = this.#options
    const {
      outputs: { files },
    } = plan.pipeline
    const parts = listParts(files, shards)
    const isStale = (path: string): boolean => files.some((file) => isShardPathOf(path, file.path))
    const kept = new Set(parts.map((part) => part.plan.path))
    const removals = former.paths.filter((path) => !kept.has(path) && isStale(path) && !isPublishedAgain(path, shards))
    return RunOutputs.open(
      { ...plan.pipeline, outputs: { ...plan.pipeline.outputs, files: parts.map((part) => part.plan) } },
      {
        ...staging,
        former,
        prune,
        removals,
        parts: shards.length,
        openFiles: (set) => adoptParts(parts, token, storage, set),
      },
    )
  }
}

/** True for an object of an attempt, which the commit publishes under its own path. */
function isPublishedAgain(path: string, shards: AddedShards['shards']): boolean {
  return shards.some(({ files }) => files.parts.includes(path))
}

/** Checks that a single run would have made, but shards can't. */
function listNotes({ shards }: ShardPlan): string[] {
  const ranges = shards.flatMap(({ segments }) => segments).filter((each) => each.landed !== undefined && isRange(each))
  return [...new Set(ranges.map(({ name }) => name))].map(
    (name) => `${name}: landed, and read in ranges: its size and its indexes were compared, its SHA-256 was not`,
  )
}

function toRunId({ planId, pipeline, tool }: ShardPlan, inputDigest: string): string {
  const {
    records: { contract, contractVersion },
    outputs: { configHash },
  } = pipeline
  const identity = [tool.version, contract, contractVersion, configHash, planId, inputDigest]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}
