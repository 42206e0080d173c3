import { observeRun } from '../engine/observe/observe-run.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { runPlanned, type RunPlannedOptions } from './run-planned.ts'
import { runOnSpark, type RunOnSparkOptions } from './spark/run-on-spark.ts'

type ShardedOptions = RunPlannedOptions & RunOnSparkOptions & { readonly engine?: 'spark' | undefined }

/** Runs the shards of a pipeline: on Spark, or one by one those of the plan in a folder. */
export async function runInShards(pipeline: PipelinePlan, options: ShardedOptions): Promise<Manifest> {
  const { engine, plan } = options
  return observeRun(pipeline, options, (observation) => {
    const observed = { ...options, observation }
    return engine === 'spark' || plan === undefined
      ? runOnSpark(pipeline, observed)
      : runPlanned(plan, pipeline, observed)
  })
}
