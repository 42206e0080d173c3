import type { PipelineConfig } from './pipeline-schema.ts'

/** The config itself, so that an editor and the compiler know its type. */
export function definePipeline(config: PipelineConfig): PipelineConfig {
  return config
}
