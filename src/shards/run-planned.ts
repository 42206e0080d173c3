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
 * Runs the shards of a plan one after the other in this process, then commits. The outputs are the same as from any
 * number of machines. Finished shards are not run again. Throws PLAN_INVALID if the plan is of another pipeline.
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

export async function isPublished(folder: string, options: Pick<RunPlannedOptions, 'env'>): Promise<boolean> {
  return (await readPlanStatus(folder, options)).published !== null
}

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

export interface PlanStatus {
  readonly plan: ShardPlan
  readonly stages: readonly StageStatus[]
  /** When it was committed, after which attempts are removed; null if the published manifest isn't that of this plan. */
  readonly published: string | null
}

export interface StageStatus {
  readonly stage: ShardStage
  readonly finished: readonly number[]
  /** Shards whose attempts have all failed because of the data, with the last message. */
  readonly failed: readonly {
    readonly shard: number
    readonly host: string
    readonly code: string
    readonly message: string
  }[]
  readonly missing: readonly number[]
  readonly open: readonly number[]
}

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

/** All shards are finished: the commit has removed the attempts. */
function toPublishedStage(stage: ShardStage, { shards }: ShardPlan): StageStatus {
  return { stage, finished: shards.map(({ number }) => number), failed: [], missing: [], open: [] }
}

export async function listOpenShards(
  folder: string,
  stage: ShardStage,
  options: Pick<RunPlannedOptions, 'env'>,
): Promise<readonly number[]> {
  const { stages } = await readPlanStatus(folder, options)
  return stages.find((each) => each.stage === stage)?.open ?? []
}
