import { isDeepStrictEqual } from 'node:util'
import { Readable } from 'node:stream'
import { newToken } from '../../engine/frame.ts'
import { openSources } from '../../engine/reading/open-sources.ts'
import { CatalogueError } from '../../errors.ts'
import { readToolVersion } from '../../package-file.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import { configInvalid } from '../../plan/plan-pipeline.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { withObjects } from '../../storage/s3/with-objects.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { RunContext } from '../../run-context.ts'
import { planPathOf } from '../attempt-paths.ts'
import { planInvalid, readShardPlan, toPlanId, type ShardPlan, type ShardedPipeline } from '../shard-plan.ts'
import { checkSharding, isSharded } from './check-sharding.ts'
import { cutSegments, type InputFile } from './cut-segments.ts'
import { openInput } from './open-input.ts'
import { toAbsolutePath } from '../../storage/paths.ts'

export interface PlanShardsOptions extends Pick<RunContext, 'env'> {
  /** Folder of the plan, or `s3://bucket/prefix`; or a function that names it by the plan. */
  readonly to: string | ((planId: string) => string)
  /** Bytes of a shard, as its files are on disk. Default 512 MB. */
  readonly bytes?: number | undefined
}

export const defaultShardBytes = 512_000_000

/**
 * Divides a run into shards and writes the plan. An existing plan of the same run is kept. Throws CONFIG_INVALID if the
 * pipeline can't be sharded, PLAN_INVALID if there is another plan, and what finding the files throws.
 */
export async function planShards(
  pipeline: PipelinePlan,
  { to, bytes = defaultShardBytes, env = process.env }: PlanShardsOptions,
): Promise<ShardPlan> {
  if (!isSharded(pipeline)) throw configInvalid(pipeline.name, checkSharding(pipeline))
  if (typeof to === 'string') checkPlace(to, pipeline.name, pipeline.report)
  const { files, shards } = await withObjects(env, async (objects) => {
    const input = await addVersions(await openInput(pipeline.source, objects), pipeline, env)
    return { files: input, shards: await cutSegments(input, bytes) }
  })
  const idBuckets = chooseIdBuckets(files)
  const made = {
    format: 1,
    tool: readToolVersion(),
    createdAt: new Date().toISOString(),
    folder: process.cwd(),
  } as const
  const plan = { ...made, idBuckets, pipeline: toPlainPlan(pipeline), shards }
  const planned = { ...plan, planId: toPlanId(plan) }
  const place = typeof to === 'string' ? to : to(planned.planId)
  const storage = await openStorage(planPathOf(place), env, { settings: pipeline.outputs.s3 })
  try {
    return await writePlan(planned, toAbsolutePath(place), storage)
  } finally {
    await storage.close()
  }
}

/** Adds the interface version of the records, if columns are from it: shards see only parts of the files. */
async function addVersions(
  files: readonly InputFile[],
  pipeline: ShardedPipeline,
  env: RunContext['env'],
): Promise<readonly InputFile[]> {
  if (pipeline.records.contract !== 'product') return files
  const { sources, close } = await openSources(pipeline, { stdin: Readable.from([]), token: 'planned', env })
  const versions = new Map(sources.map(({ name, interfaceVersion }) => [name, interfaceVersion]))
  await close()
  return files.map((file) => ({ ...file, interfaceVersion: versions.get(file.name) }))
}

/**
 * The number of buckets that ids are distributed over by hash, so that the ids of a bucket take about 64 MB: a power of
 * two. It depends only on the sizes of the files.
 */
function chooseIdBuckets(files: readonly InputFile[]): number {
  const bytes = files.reduce((sum, { size, hasLines }) => sum + (hasLines ? size : size * mostCompression), 0)
  const wanted = ((bytes / leastRecordBytes) * idBytes) / bucketBytes
  return Math.min(mostBuckets, 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1, wanted)))))
}

const mostCompression = 10
const leastRecordBytes = 500
const idBytes = 40
const bucketBytes = 64 * 1024 * 1024
const mostBuckets = 4096

/** Throws USAGE if the outputs are in a bucket and attempts would not be, or the reverse. */
function checkPlace(to: string, name: string, { manifest }: ReportPlan): void {
  const isInBucket = isObjectPath(to)
  if (isInBucket === isObjectPath(manifest.path)) return
  const [expected, got] = isInBucket ? ['a folder', 'a bucket'] : ['a prefix of a bucket', 'a folder']
  const message = `${name}: expected ${expected} for the plan, as the outputs are there too, got ${got}: ${to}`
  throw new CatalogueError('USAGE', message, {
    fix: 'Give `--to` a place beside the outputs, which every machine sees.',
  })
}

function toPlainPlan(pipeline: ShardedPipeline): ShardedPipeline {
  const plain = JSON.parse(JSON.stringify(pipeline)) as ShardedPipeline
  const again = JSON.parse(JSON.stringify(plain)) as unknown
  if (!isDeepStrictEqual(again, plain)) throw new TypeError(`${pipeline.name}: expected a plan that is plain data`)
  return plain
}

async function writePlan(plan: ShardPlan, folder: string, storage: FileStorage): Promise<ShardPlan> {
  const path = planPathOf(folder)
  if ((await storage.read(path)) !== null) {
    const there = await readShardPlan(folder, storage)
    if (there.planId === plan.planId) return there
    throw planInvalid(`${path}: expected no plan or that of this run, got another one (${there.planId.slice(0, 8)})`, {
      fix: 'Give `--to` another folder, or remove this one if nobody needs it.',
    })
  }
  await StagedSet.begin({ storage, token: newToken() }, async (set) => {
    await set.publish({ manifest: await set.write(path, `${JSON.stringify(plan, null, 2)}\n`) })
  })
  return plan
}
