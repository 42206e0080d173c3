import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../../src/shards/commit/commit-shards.ts'
import { resolveIds } from '../../../src/shards/ids/resolve-ids.ts'
import { planShards } from '../../../src/shards/plan/plan-shards.ts'
import { runShard, type RunShardOptions } from '../../../src/shards/run/run-shard.ts'
import { stagesOf } from '../../../src/shards/run-planned.ts'
import type { ShardPlan } from '../../../src/shards/shard-plan.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

/** The outcome of a run that does not depend on how its files are divided. */
export interface PlainOutcome {
  readonly ledger: Manifest['ledger']
  readonly sources: Manifest['sources']
  readonly rejects: string
  /** Data lines of the table, as CSV. */
  readonly rows: readonly string[]
}

interface Place {
  readonly folder: string
  readonly config: PipelineConfig
}

/** Runs a pipeline with one table as CSV in one process. */
export async function runPlain({ folder, config }: Place): Promise<PlainOutcome> {
  const outDir = join(folder, 'plain')
  const report = await runPipeline(config, { outDir, workers: 0 })
  return readOutcome(report, [join(outDir, 'products.csv')], outDir)
}

/** Runs the pipeline in shards, those of each stage in reverse order, and commits. */
export async function runSharded(
  { folder, config }: Place,
  bytes: number,
): Promise<PlainOutcome & { plan: ShardPlan }> {
  const to = join(folder, 'plan')
  const outDir = join(folder, 'sharded')
  const plan = await planShards(planPipeline(config, { outDir }), { to, bytes })
  for (const stage of stagesOf(plan)) {
    await runShards(to, plan, { stage })
    if (stage === 'ids') await resolveIds(to)
  }
  const { report } = await commitShards(to)
  const parts = plan.shards.map(({ number }) => join(outDir, 'products', `part-${String(number).padStart(5, '0')}.csv`))
  return { ...(await readOutcome(report, parts, outDir)), plan }
}

/** Runs all shards of a stage, the last one first. */
export async function runShards(to: string, { shards }: ShardPlan, options: RunShardOptions): Promise<void> {
  for (const { number } of shards.toReversed()) await runShard(to, number, { workers: 0, ...options })
}

async function readOutcome(
  { ledger, sources }: Manifest,
  files: readonly string[],
  outDir: string,
): Promise<PlainOutcome> {
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')))
  // The header, then lines that end with a line break.
  const rows = texts.flatMap((text) => text.split('\n').slice(1, -1))
  return { ledger, sources, rows, rejects: await readFile(join(outDir, '_rejects.ndjson'), 'utf8') }
}
