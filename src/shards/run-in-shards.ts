import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { runPlanned, type RunPlannedOptions } from './run-planned.ts'
import { runOnSpark, type RunOnSparkOptions } from './spark/run-on-spark.ts'

type ShardedOptions = RunPlannedOptions & RunOnSparkOptions & { readonly engine?: 'spark' | undefined }

/** Runs the shards of a pipeline: on Spark, or one by one those of the plan in a folder. */
export async function runInShards(pipeline: PipelinePlan, options: ShardedOptions): Promise<Manifest> {
  const { engine, plan } = options
  return engine === 'spark' || plan === undefined ? runOnSpark(pipeline, options) : runPlanned(plan, pipeline, options)
}
