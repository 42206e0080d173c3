import { createHash } from 'node:crypto'
import { z } from 'zod'
import { interfaceVersions } from '../contracts/given-values.ts'
import { CatalogueError } from '../errors.ts'
import type { DeepReadonly } from '../manifest/manifest.ts'
import { tryJson } from '../manifest/try-json.ts'
import { readToolVersion } from '../package-file.ts'
import type { FileSourcePlan } from '../plan/source/source-plan.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { RequiredContext } from '../run-context.ts'
import { planPathOf } from './attempt-paths.ts'

/** A stateless pipeline over files. */
export interface ShardedPipeline extends PipelinePlan {
  readonly source: FileSourcePlan
  readonly outputs: PipelinePlan['outputs'] & { readonly stateful: null }
}

/** A file, or a range of whole lines of one. */
const segment = z.object({
  /** The name in rejects and in the manifest: the path as it was found. */
  name: z.string(),
  path: z.string(),
  /** The range in bytes of the file on disk. `until` is null for the end of the file. */
  from: z.int().nonnegative(),
  until: z.int().nullable(),
  /** Bytes of the whole file on disk when the plan was made. */
  size: z.int().nonnegative(),
  /** ISO 8601, UTC. Not part of the plan's identity: a copy is as good as the file. */
  modified: z.string(),
  /** The version of an object in a bucket. Not part of the plan's identity either. */
  etag: z.string().optional(),
  /** SHA-256 of the file, if `fetch` landed it. */
  landed: z.string().optional(),
  /** The interface version of its records, if columns are from it. */
  interfaceVersion: z.enum(interfaceVersions).optional(),
})

const share = z.object({
  /** 0-based. */
  number: z.int(),
  bytes: z.int(),
  segments: z.array(segment),
})

/** The division of a run into shards. A machine needs nothing else to run one of them. */
const shardPlan = z.object({
  format: z.literal(1),
  /** 32 hexadecimal digits: the same for the same version, pipeline and files. */
  planId: z.string(),
  tool: z.object({ name: z.string(), version: z.string() }),
  createdAt: z.string(),
  /** The working directory of the planner, at which relative paths of outputs begin. */
  folder: z.string(),
  idBuckets: z.int().positive(),
  // Checked below by the identity of the plan.
  pipeline: z.custom<ShardedPipeline>((value) => typeof value === 'object' && value !== null && 'outputs' in value),
  shards: z.array(share),
})

export type ShardPlan = DeepReadonly<z.output<typeof shardPlan>>
export type Shard = ShardPlan['shards'][number]
export type Segment = Shard['segments'][number]

/** The identity of a plan: all that affects the outputs, but not when and where it was made. */
export function toPlanId({ tool, idBuckets, pipeline, shards }: Omit<ShardPlan, 'planId'>): string {
  const files = shards.map(({ segments }) =>
    segments.map(({ name, path, from, until, size, landed = null }) => [name, path, from, until, size, landed]),
  )
  const identity = JSON.stringify([tool.version, idBuckets, pipeline, files])
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

/** Opens a plan and the storage of its attempts. Throws what reading the plan throws. */
export async function openShardPlan(
  folder: string,
  env: RequiredContext<'env'>['env'],
): Promise<{ readonly plan: ShardPlan; readonly storage: FileStorage }> {
  const storage = await openStorage(planPathOf(folder), env)
  try {
    const plan = await readShardPlan(folder, storage)
    const settings = plan.pipeline.outputs.s3
    if (settings === undefined) return { plan, storage }
    await storage.close()
    return { plan, storage: await openStorage(planPathOf(folder), env, { settings }) }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Reads the plan of a folder. Throws PLAN_INVALID if there is none, or it is of another version or was changed. */
export async function readShardPlan(folder: string, storage: Pick<FileStorage, 'read'>): Promise<ShardPlan> {
  const path = planPathOf(folder)
  const bytes = await storage.read(path)
  if (bytes === null) {
    throw planInvalid(`${path}: expected a plan of shards, got nothing there`, {
      fix: 'Make it with `catalogue-etl shards plan CONFIG --to PLAN`, in a folder or bucket that every machine sees.',
    })
  }
  const { data: plan, error } = shardPlan.safeParse(tryJson(bytes) ?? undefined)
  if (plan === undefined) {
    const [issue] = error.issues
    throw planInvalid(
      `${path}: expected a plan of shards, got another file (${issue?.path.join('.')}: ${issue?.message})`,
    )
  }
  const { version } = readToolVersion()
  if (plan.tool.version !== version)
    throw planInvalid(`${path}: expected a plan of version ${version}, got one of ${plan.tool.version}`, {
      fix: 'Install the same version on every machine, or make the plan again.',
    })
  if (toPlanId(plan) !== plan.planId) throw planInvalid(`${path}: expected the plan as it was made, got a changed file`)
  return plan
}

/** Throws USAGE if the plan has no shard of this number. */
export function findShard({ shards, planId }: ShardPlan, number: number): Shard {
  const shard = shards[number]
  if (shard !== undefined) return shard
  const message = `plan ${planId.slice(0, 8)}: expected a shard from 0 to ${shards.length - 1}, got ${number}`
  throw new CatalogueError('USAGE', message)
}

export function planInvalid(message: string, options: { readonly fix?: string } = {}): CatalogueError {
  return new CatalogueError('PLAN_INVALID', message, options)
}
