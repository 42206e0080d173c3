import { z } from 'zod'
import { pipelineSchema } from '../src/config/schemas/pipeline-schema.ts'

/** The part of JSON Schema that the schema of pipeline configs has. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly description?: string
  readonly default?: unknown
  readonly $comment?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

/** The schema of pipeline configs as they are written. */
export function readConfigSchema(): Schema {
  return z.toJSONSchema(pipelineSchema, { io: 'input', unrepresentable: 'any' }) as Schema
}

/** The default of a key, if its description does not say it. */
export function findDefault({ description = '', default: fallback }: Schema): string | null {
  const isShown = fallback !== undefined && typeof fallback !== 'object' && !description.includes('efault')
  return isShown ? JSON.stringify(fallback) : null
}
