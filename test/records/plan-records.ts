import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { BlockCutter } from '../../src/records/block.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { compileProcessing, type RecordPlan } from '../../src/records/process-block.ts'

/** The record plan of a config whose source does not matter. */
export function planRecords(config: Partial<PipelineConfig>, contract = 'v4/product'): RecordPlan {
  return planPipeline({ name: 'test', ...config, source: { files: 'none', contract } }, { env: {} }).records
}

/** Everything that comes of an input, block after block. */
export function processAll(plan: RecordPlan, input: Buffer | string, blockBytes?: number): BlockOutcome[] {
  const cutter = new BlockCutter({ maxLineBytes: plan.maxLineBytes, ...(blockBytes && { blockBytes }) })
  const process = compileProcessing(plan)
  return [...cutter.push(Buffer.from(input)), ...cutter.end()].map((block) => process(block))
}
