import { aFunction, anObject, aSignal, keysOfConfig, type OptionKinds } from '../check-options.ts'
import type { PipelineConfig } from '../config/pipeline-config.ts'
import type { Contract } from '../contracts/contracts.ts'
import { checkPipeline } from '../plan/check-pipeline.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { configInvalid } from '../plan/plan-pipeline.ts'
import type { RunContext } from '../run-context.ts'
import { findEach } from '../streams/plan-table.ts'
import { specLocales } from '../plan/locales.ts'
import type { OpenableSource } from './record-source.ts'

type SourceConfig = PipelineConfig['source']
type Policy = NonNullable<PipelineConfig['contract']>
/** Conditions on records, as in a config. */
export type Where = NonNullable<PipelineConfig['where']>
/** A table as in a config. Without `each` its name says which table of the contract it is. */
export type TableEntry = Readonly<NonNullable<PipelineConfig['tables']>[string]>

/** How records are read: the keys of a config, with the same meaning and checks. */
export interface ReadOptions
  extends
    Pick<SourceConfig, 'format' | 'parts' | 'interface' | 'maxLineBytes'>,
    Pick<Policy, 'unknownFields' | 'unknownValues' | 'invalidValues'>,
    Pick<PipelineConfig, 'completeness' | 'rejects' | 'timezone'>,
    Pick<RunContext, 'signal' | 'env' | 'onWarning'> {}

/** What is read, before a table is chosen. */
export interface Selected {
  readonly contract: Contract
  readonly source: OpenableSource
  readonly options: ReadOptions
  readonly where?: Where
}

/** A config of what is read. Its other keys are those of the reading, such as `tables` and `locales`. */
export function toConfig({ contract, source, options, where = {} }: Selected, keys: Partial<PipelineConfig>): unknown {
  const { signal: _, env: _env, onWarning: _onWarning, ...rest } = options
  const { format, parts, interface: version, maxLineBytes, ...others } = rest
  const { unknownFields, unknownValues, invalidValues, ...top } = others
  return withoutUndefined({
    name: contract.plural,
    ...source.config,
    ...top,
    where,
    source: {
      ...source.config.source,
      ...withoutUndefined({ format, parts, interface: version, maxLineBytes }),
      contract: contract.name,
    },
    contract: { unknownFields, unknownValues, invalidValues, extra: contract.extra },
    ...keys,
  })
}

/** Adds to a table what its name says. Throws CONFIG_INVALID if the contract has no table of this name. */
export function toTableConfig(
  contract: Contract,
  table: string,
  entry: TableEntry,
  locales?: readonly string[],
): unknown {
  if (entry.each !== undefined || entry.builtin !== undefined) return entry
  const each = findEach(contract, table, locales ?? specLocales)
  return each === null ? entry : { ...entry, each }
}

/** Plans a config made of options. Throws CONFIG_INVALID with every problem. */
export function planOptions(method: string, config: unknown, { env = process.env }: ReadOptions): PipelinePlan {
  const { plan, problems } = checkPipeline(config, { env, needsService: true, now: Date.now() })
  if (plan !== null) return plan
  throw configInvalid(
    method,
    problems.map((problem) => ({ ...problem, path: problem.path.slice(problem.path[0] === 'source' ? 1 : 0) })),
    'Correct the options named above.',
  )
}

export const readOptions: OptionKinds<ReadOptions> = {
  ...keysOfConfig('format', 'parts', 'interface', 'maxLineBytes', 'timezone', 'completeness'),
  ...keysOfConfig('unknownFields', 'unknownValues', 'invalidValues'),
  rejects: anObject,
  signal: aSignal,
  env: anObject,
  onWarning: aFunction,
}

/** The same value without members that are undefined, which a config does not have. */
function withoutUndefined<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([key, member]) => [key, withoutUndefined(member)])) as Value
}
