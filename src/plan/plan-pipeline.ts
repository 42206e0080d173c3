import { CatalogueError } from '../errors.ts'
import { checkPipeline } from './check-pipeline.ts'
import { countOf } from '../text/format-count.ts'
import { formatSuggestion } from '../text/choices.ts'
import { redactCredentials } from '../config/credentials.ts'
import type { PipelineConfig } from '../config/pipeline-schema.ts'
import type { PipelinePlan } from './pipeline-plan.ts'
import type { Problem } from '../config/problem.ts'

export interface PlanOptions {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly outDir?: string | undefined
}

/** The plan of a config in memory. Throws CONFIG_INVALID with every problem. */
export function planPipeline(config: PipelineConfig, { env = process.env, outDir }: PlanOptions = {}): PipelinePlan {
  const { plan, problems } = checkPipeline(config, { env, outDir, needsService: true, now: Date.now() })
  if (plan === null) throw configInvalid(nameOf(config), problems)
  return plan
}

/** An error with every problem. */
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
  /** Address, credentials and database urls have to be set, as for a run. Default false, as for the command `check`. */
  readonly needsService?: boolean | undefined
}

/** Problems and hints, each with its place in the config. */
export interface ConfigReport {
  /** A run would throw CONFIG_INVALID with these. */
  readonly problems: readonly Problem[]
  /** Hints, which stop nothing. */
  readonly notes: readonly Problem[]
}

/**
 * Every problem of a config, in its order. Reads nothing but `env` and the list of `sourceIds`, and never throws. No message
 * holds a credential.
 */
export function checkConfig(
  config: unknown,
  { env = process.env, outDir, needsService = false }: CheckConfigOptions = {},
): ConfigReport {
  const { problems, notes } = checkPipeline(config, { env, outDir, needsService, now: Date.now() })
  return { problems, notes }
}

/** For messages, also of what is no config. */
function nameOf(config: Partial<PipelineConfig> | null | undefined): string {
  const name: unknown = config?.name
  return typeof name === 'string' && /^[\w-]+$/.test(name) ? name : 'the pipeline config'
}

/** `tables.products.columns[2]` */
export function formatConfigPath(path: Problem['path']): string {
  if (path.length === 0) return 'config'
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}
