import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type InterfaceVersion, interfaceVersions } from '../contracts/given-values.ts'
import { CatalogueError } from '../errors.ts'
import { readToolVersion } from '../package-file.ts'
import type { FileSourcePlan } from '../plan/source/source-plan.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { RequiredContext } from '../run-context.ts'
import { planPathOf } from './attempt-paths.ts'

/** A plan over files, and nothing else. */
export interface ShardedPipeline extends PipelinePlan {
  readonly source: FileSourcePlan
  readonly outputs: PipelinePlan['outputs'] & { readonly stateful: null }
}

/** A file, or a range of one that begins behind a line break and ends with one. */
export interface Segment {
  /** The name in rejects and in the manifest: the path as it was found. */
  readonly name: string
  /** Absolute, or that of an object in a bucket. */
  readonly path: string
  /** Bytes of the file on disk; `until` is null to its end. */
  readonly from: number
  readonly until: number | null
  /** Bytes of the whole file on disk when the plan was made. */
  readonly size: number
  /** ISO 8601, UTC. No part of the identity of the plan: a copy is as good as the file. */
  readonly modified: string
  /** The version of an object in a bucket; no part of the identity of the plan either. */
  readonly etag?: string | undefined
  /** SHA-256 of the file, where `fetch` landed it. */
  readonly landed?: string | undefined
  /** The interface that its records came from, where columns are from it. */
  readonly interfaceVersion?: InterfaceVersion | undefined
}

/** A share of the input: segments that follow one another. */
export interface Shard {
  /** From 0 on. */
  readonly number: number
  /** Bytes of its segments on disk. */
  readonly bytes: number
  readonly segments: readonly Segment[]
}

/** The division of a run into shards. It is all that a machine has to know to run one of them. */
export interface ShardPlan {
  readonly format: 1
  /** 32 hexadecimal digits: the same for the same version, pipeline and files. */
  readonly planId: string
  readonly tool: { readonly name: string; readonly version: string }
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** The working directory of the planner, at which relative paths of outputs begin. */
  readonly folder: string
  /** Over how many buckets ids are shared out by their hash: a power of two. */
  readonly idBuckets: number
  readonly pipeline: ShardedPipeline
  readonly shards: readonly Shard[]
}

const segment = z.object({
  name: z.string(),
  path: z.string(),
  from: z.int().nonnegative(),
  until: z.int().nullable(),
  size: z.int().nonnegative(),
  modified: z.string(),
  etag: z.string().optional(),
  landed: z.string().optional(),
  interfaceVersion: z.enum(interfaceVersions).optional(),
})

const shardPlan = z.object({
  format: z.literal(1),
  planId: z.string(),
  tool: z.object({ name: z.string(), version: z.string() }),
  createdAt: z.string(),
  folder: z.string(),
  idBuckets: z.int().positive(),
  // Its identity is that of the plan, which is checked below.
  pipeline: z.custom<ShardedPipeline>((value) => typeof value === 'object' && value !== null && 'outputs' in value),
  shards: z.array(z.object({ number: z.int(), bytes: z.int(), segments: z.array(segment) })),
})

/** The identity of a plan: all that shapes the outputs, and nothing of when and where it was made. */
export function toPlanId({ tool, idBuckets, pipeline, shards }: Omit<ShardPlan, 'planId'>): string {
  const files = shards.map(({ segments }) =>
    segments.map(({ name, path, from, until, size, landed = null }) => [name, path, from, until, size, landed]),
  )
  const identity = JSON.stringify([tool.version, idBuckets, pipeline, files])
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

/** The plan, and the storage that what is written for it goes to. Throws what reading the plan throws. */
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

/** Reads the plan of a folder. Throws PLAN_INVALID where there is none, another version's, or one that was changed. */
export async function readShardPlan(folder: string, storage: Pick<FileStorage, 'read'>): Promise<ShardPlan> {
  const path = planPathOf(folder)
  const bytes = await storage.read(path)
  if (bytes === null) {
    throw planInvalid(`${path}: expected a plan of shards, got nothing there`, {
      fix: 'Make it with `catalogue-etl shards plan CONFIG --to PLAN`, in a folder or bucket that every machine sees.',
    })
  }
  const { data: plan, error } = shardPlan.safeParse(parseJson(bytes))
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

/** The shard of a number. Throws USAGE where the plan has none. */
export function findShard({ shards, planId }: ShardPlan, number: number): Shard {
  const shard = shards[number]
  if (shard !== undefined) return shard
  const message = `plan ${planId.slice(0, 8)}: expected a shard from 0 to ${shards.length - 1}, got ${number}`
  throw new CatalogueError('USAGE', message)
}

export function planInvalid(message: string, options: { readonly fix?: string } = {}): CatalogueError {
  return new CatalogueError('PLAN_INVALID', message, options)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    // No schema fits it.
    return undefined
  }
}
