import { z } from 'zod'
import { contractNames } from '../contracts/contracts.ts'
import { endpointNames } from '../service/endpoints/endpoints.ts'
import { pipelineSchema } from './schemas/pipeline-schema.ts'

/** The JSON Schema of pipeline configs, for editors; made from the schema that checks them. */
export function toPipelineJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(pipelineSchema, { io: 'input', unrepresentable: 'any' }) as Schema
  const source = schema.properties['source']?.properties
  if (source !== undefined) {
    source['contract'] = { ...source['contract'], enum: contractNames }
    source['endpoint'] = { ...source['endpoint'], enum: endpointNames }
  }
  return { ...schema, title: 'catalogue-etl pipeline' }
}

interface Schema {
  readonly properties: Record<string, { readonly properties?: Record<string, Record<string, unknown>> }>
}
