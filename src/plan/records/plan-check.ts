import { moduleOf } from '../../config/own-code.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import type { OwnCheck } from '../../records/own-check.ts'
import { withoutFile } from './plan-computed.ts'

/** The check of records by a schema of the config; null if there is none. */
export function planCheck(config: CompletePipelineConfig['check'] | null): {
  readonly check: OwnCheck | null
  readonly problems: readonly Problem[]
} {
  if (!config) return { check: null, problems: [] }
  const { schema, version } = config
  if ('use' in schema) return { check: null, problems: [problemAt(['check', 'schema'], withoutFile('schema'))] }
  const module = moduleOf(schema)
  return { check: { version, ...(module && { module }), validate: schema['~standard'].validate }, problems: [] }
}
