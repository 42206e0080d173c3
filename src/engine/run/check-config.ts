import { anObject, aText, type OptionKinds, requireOptions, trueOrFalse } from '../../check-options.ts'
import { checkConfig, type CheckConfigOptions, type ConfigReport } from '../../plan/plan-pipeline.ts'

/**
 * Finds every problem of a config, which may be any value, in its order. Reads only `env` and the list of `sourceIds`. No
 * message shows a credential. Throws USAGE for wrong options, and nothing else.
 */
export function checkPipeline(config: unknown, options: CheckConfigOptions = {}): ConfigReport {
  requireOptions('checkPipeline', options, checkOptions)
  return checkConfig(config, options)
}

const checkOptions: OptionKinds<CheckConfigOptions> = { env: anObject, outDir: aText, needsService: trueOrFalse }
