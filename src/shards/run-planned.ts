import { isDeepStrictEqual } from 'node:util'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { openStorage } from '../storage/open-storage.ts'
import { planPathOf, type ShardStage } from './attempt-paths.ts'
import { readAttempts, type ShardStates } from './commit/choose-attempts.ts'
import { commitShards, type CommitShardsOptions } from './commit/commit-shards.ts'
import { readPublished } from './commit/read-published.ts'
import { resolveIds } from './ids/resolve-ids.ts'
import { runShard, type RunShardOptions } from './run/run-shard.ts'
import { planInvalid, readShardPlan, type ShardPlan } from './shard-plan.ts'
import type { Manifest } from '../manifest/manifest.ts'

export type RunPlannedOptions = Omit<RunShardOptions, 'stage'> & CommitShardsOptions

/**
 * Runs the shards of a plan one after the other in this process, then commits: the same outputs as from any number of
 * machines. Shards that have been run stay as they are. Throws PLAN_INVALID where the plan is of another pipeline.
 */
export async function runPlanned(
  folder: string,
  pipeline: PipelinePlan,
  options: RunPlannedOptions = {},
): Promise<Manifest> {
  for (const stage of await listStages(folder, pipeline, options)) {
    for (const shard of await listOpenShards(folder, stage, options))
      await runShard(folder, shard, { ...options, stage })
    if (stage === 'ids' && !(await isPublished(folder, options))) await resolveIds(folder, options)
  }
  const { report } = await commitShards(folder, options)
  return report
}

/** True once a commit has published the plan. */
export async function isPublished(folder: string, options: Pick<RunPlannedOptions, 'env'>): Promise<boolean> {
  return (await readPlanStatus(folder, options)).published !== null
}

/** The stages that a plan has. */
export function stagesOf({
  pipeline: {
    records: { duplicates },
  },
}: Pick<ShardPlan, 'pipeline'>): ShardStage[] {
  return duplicates === 'keep' ? ['rows'] : ['ids', 'rows']
}

async function listStages(folder: string, pipeline: PipelinePlan, options: RunPlannedOptions): Promise<ShardStage[]> {
  const plan = await readPlan(folder, options)
  if (!isDeepStrictEqual(plan.pipeline, JSON.parse(JSON.stringify(pipeline)))) {
    const message = `${planPathOf(folder)}: expected the plan of this config, got that of ${plan.pipeline.name} as it was ${plan.createdAt}`
    throw planInvalid(message, { fix: 'Make the plan again in another folder, or run the config that it was made of.' })
  }
  return stagesOf(plan)
}

async function readPlan(folder: string, { env = process.env }: RunPlannedOptions): Promise<ShardPlan> {
  const storage = await openStorage(planPathOf(folder), env)
  try {
    return await readShardPlan(folder, storage)
  } finally {
    await storage.close()
  }
}

/** The state of a plan, for whoever runs its shards. */
export interface PlanStatus {
  readonly plan: ShardPlan
  readonly stages: readonly StageStatus[]
  /** When it was committed; null where the manifest in place is not that of this plan. What the attempts left is removed then. */
  readonly published: string | null
}

export interface StageStatus {
  readonly stage: ShardStage
  readonly finished: readonly number[]
  /** Shards whose attempts have all failed for what the data is the reason of, with the last message. */
  readonly failed: readonly {
    readonly shard: number
    readonly host: string
    readonly code: string
    readonly message: string
  }[]
  /** Shards of which no attempt ended. */
  readonly missing: readonly number[]
  /** Both: what is left to be run. */
  readonly open: readonly number[]
}

/** Reads what has been run of a plan. */
export async function readPlanStatus(
  folder: string,
  { env = process.env }: Pick<RunPlannedOptions, 'env'> = {},
): Promise<PlanStatus> {
  const storage = await openStorage(planPathOf(folder), env)
  try {
    const plan = await readShardPlan(folder, storage)
    const published = (await readPublished(plan, storage))?.finishedAt ?? null
    const stages: StageStatus[] = []
    for (const stage of stagesOf(plan)) {
      const states = await readAttempts(folder, plan, stage, storage)
      stages.push(published === null ? toStageStatus(stage, states) : toPublishedStage(stage, plan))
    }
    return { plan, stages, published }
  } finally {
    await storage.close()
  }
}

function toStageStatus(stage: ShardStage, { finished, failed, missing }: ShardStates): StageStatus {
  const open = [...missing, ...failed.map(({ shard }) => shard)].toSorted((a, b) => a - b)
  return {
    stage,
    finished: finished.flatMap((attempts, shard) => (attempts.length > 0 ? [shard] : [])),
    failed: failed.map(({ shard, host, failure }) => {
      return { shard, host, code: failure?.code ?? '', message: failure?.message ?? '' }
    }),
    missing,
    open,
  }
}

/** What the attempts left is gone. */
function toPublishedStage(stage: ShardStage, { shards }: ShardPlan): StageStatus {
  return { stage, finished: shards.map(({ number }) => number), failed: [], missing: [], open: [] }
}

/** Numbers of the shards that no attempt has finished. */
export async function listOpenShards(
  folder: string,
  stage: ShardStage,
  options: Pick<RunPlannedOptions, 'env'>,
): Promise<readonly number[]> {
  const { stages } = await readPlanStatus(folder, options)
  return stages.find((each) => each.stage === stage)?.open ?? []
}
