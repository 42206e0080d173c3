import type { PipelineConfig } from './pipeline-schema.ts'

/** Gives a config its type, for `.ts` and `.js` modules and for `runPipeline`. It is checked when it is run. */
export function definePipeline(config: PipelineConfig): PipelineConfig {
  return config
}
