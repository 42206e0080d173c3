import type { AnyContract, ContractName } from './contracts.ts'
import { toContract } from './extended/given-contract.ts'
import type { Field, ScalarField } from './fields.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The JSON Schema (draft 2020-12) of a contract's records in their canonical form: codes as text, single elements in
 * lists. Takes the name of a contract, or a contract.
 */
export function toContractJsonSchema(contract: AnyContract | ContractName): JsonSchema {
  const { name, version, fields } = toContract('toContractJsonSchema', contract)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    description: `Contract ${name}, version ${version}. Fields beyond it are allowed and counted as drift.`,
    type: 'object',
    required: [...fields].flatMap(([field, kind]) => (kind.kind === 'scalar' && kind.required ? [field] : [])),
    properties: toProperties(fields),
  }
}

function toProperties(fields: ReadonlyMap<string, Field>): JsonSchema {
  return Object.fromEntries([...fields].map(([name, field]) => [name, toSchema(field)]))
}

function toSchema(field: Field): JsonSchema {
  const { description, notes } = field
  return { description, ...(notes.deprecated === undefined ? {} : { deprecated: true }), ...toType(field) }
}

function toType(field: Field): JsonSchema {
  switch (field.kind) {
    case 'scalar':
      return toScalarType(field)
    case 'object':
      return { type: ['object', 'null'], properties: toProperties(field.fields) }
    case 'localized':
      return { type: ['object', 'null'], additionalProperties: toSchema(field.element) }
    case 'list':
      return { type: ['array', 'null'], items: toSchema(field.element) }
  }
}

function toScalarType({ type, values }: ScalarField): JsonSchema {
  switch (type) {
    case 'text':
      return { type: ['string', 'null'], ...(values === undefined ? {} : { examples: values }) }
    case 'integer':
      return { type: ['integer', 'null'] }
    case 'float':
      return { type: ['number', 'null'] }
    case 'boolean':
      return { type: ['boolean', 'null'] }
    case 'timestamp':
      return { type: ['integer', 'null'], description: 'Unix seconds' }
    case 'json':
      return {}
  }
}
