import { expect, test } from 'vitest'
import { toContractJsonSchema, type JsonSchema } from '../../src/contracts/contract-json-schema.ts'
import { contracts, type Contract } from '../../src/contracts/contracts.ts'
import { createRecordGenerator } from '../sandbox/data/create-record-generator.ts'

test.each<Contract>(Object.values(contracts))(
  'the JSON Schema of $name accepts its records in canonical form',
  (contract) => {
    const schema = toContractJsonSchema(contract)
    const generate = createRecordGenerator(contract, { seed: 7 })
    for (let index = 0; index < 200; index++) {
      expect(findFaults(contract.schema.parse(generate(index)), schema, '$')).toEqual([])
    }
  },
)

test('the JSON Schema of a contract refuses records that the contract refuses', () => {
  const schema = toContractJsonSchema(contracts['v4/product'])
  const record = { id: 7, publicPrice: 'x', name: { nl: 1 }, photos: [{ displayOrder: true }], vat: '6' }
  expect(findFaults(record, schema, '$')).toEqual([
    '$.id',
    '$.publicPrice',
    '$.name.nl',
    '$.photos.0.displayOrder',
    '$.vat',
  ])
})

test('the JSON Schema of a contract marks deprecated fields and names every field', () => {
  const { properties } = toContractJsonSchema(contracts['v4/product']) as { properties: Record<string, JsonSchema> }
  expect(Object.keys(properties)).toEqual([...contracts['v4/product'].fields.keys()])
  expect(properties['gtin']).toMatchObject({ deprecated: true })
  expect(properties['cnk']).not.toHaveProperty('deprecated')
})

interface Schema {
  readonly type: string | readonly string[]
  readonly properties?: Record<string, Schema>
  readonly additionalProperties?: Schema
  readonly items?: Schema
}

/** Paths of values that don't have the type of the schema. Supports the part of JSON Schema that contracts use. */
function findFaults(value: unknown, schema: JsonSchema, path: string): string[] {
  const { type, properties, additionalProperties, items } = schema as unknown as Schema
  if (value === undefined) return []
  if (![type].flat().some((name) => isOfType(value, name))) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = items ?? properties?.[key] ?? additionalProperties
    return inner === undefined ? [] : findFaults(member, inner as unknown as JsonSchema, `${path}.${key}`)
  })
}

function isOfType(value: unknown, name: string): boolean {
  if (name === 'null') return value === null
  if (name === 'array') return Array.isArray(value)
  if (name === 'integer') return Number.isInteger(value) || typeof value === 'bigint'
  if (name === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === name
}
