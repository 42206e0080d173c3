import { CatalogueError } from '../errors.ts'
import { checkPipeline } from './check-pipeline.ts'
import { countOf } from '../text/format-count.ts'
import { formatSuggestion } from '../text/choices.ts'
import { redactCredentials } from '../config/credentials.ts'
import type { PipelineConfig } from '../config/schemas/pipeline-schema.ts'
import type { PipelinePlan } from './pipeline-plan.ts'
import type { Problem } from '../config/problem.ts'

export interface PlanOptions {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly outDir?: string | undefined
}

/** Plans a config object. Throws CONFIG_INVALID with every problem. */
export function planPipeline(config: PipelineConfig, { env = process.env, outDir }: PlanOptions = {}): PipelinePlan {
  const { plan, problems } = checkPipeline(config, { env, outDir, needsService: true, now: Date.now() })
  if (plan === null) throw configInvalid(nameOf(config), problems)
  return plan
}

export function configInvalid(name: string, problems: readonly Problem[], fix?: string): CatalogueError {
  const lines = problems.map(
    ({ path, message, suggestion }) =>
      `${redactCredentials(formatConfigPath(path), [])}: ${message}${formatSuggestion(suggestion)}`,
  )
  const got = countOf(problems.length, 'problem')
  return new CatalogueError('CONFIG_INVALID', `${name}: expected a valid config, got ${got}\n${lines.join('\n')}`, {
    fix,
  })
}

export interface CheckConfigOptions extends PlanOptions {
  /**
   * Whether address, credentials and database URLs have to be set, as for a run. Default false, as for the command
   * `check`.
   */
  readonly needsService?: boolean | undefined
}

export interface ConfigReport {
  /** Problems with which a run would throw CONFIG_INVALID. */
  readonly problems: readonly Problem[]
  readonly notes: readonly Problem[]
}

/**
 * Finds every problem of a config, in its order. Reads only `env` and the list of `sourceIds`. Never throws. No message
 * shows a credential.
 */
export function checkConfig(
  config: unknown,
  { env = process.env, outDir, needsService = false }: CheckConfigOptions = {},
): ConfigReport {
  const { problems, notes } = checkPipeline(config, { env, outDir, needsService, now: Date.now() })
  return { problems, notes }
}

function nameOf(config: Partial<PipelineConfig> | null | undefined): string {
  const name: unknown = config?.name
  return typeof name === 'string' && /^[\w-]+$/.test(name) ? name : 'the pipeline config'
}

/** Formats a path: `tables.products.columns[2]`. */
export function formatConfigPath(path: Problem['path']): string {
  if (path.length === 0) return 'config'
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}
