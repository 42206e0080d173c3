import { z } from 'zod'
import type { Endpoint } from '../service/endpoints/endpoint.ts'
import { createRequestSchema } from '../service/endpoints/request-schema.ts'
import { toPipelineJsonSchema } from '../config/pipeline-json-schema.ts'
import { localeForm, variable } from '../config/schemas/selection-schema.ts'
import type { Contract } from '../contracts/contracts.ts'
import { plainKinds } from '../types/column-types.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import { specLocales } from '../plan/locales.ts'
import { formatEach, planTables, toRoot } from '../plan/records/plan-tables.ts'
import { isObject } from '../records/json/json-values.ts'
import { type FieldPaths, listPaths } from './list-paths.ts'

type JsonSchema = Readonly<Record<string, unknown>>

export interface ConfigSubject {
  readonly contract: Contract
  /** Null if the source is files. */
  readonly endpoint: Endpoint | null
  readonly locales: readonly string[]
  /** Tables that the config names; null if it uses the contract's. */
  readonly tables: readonly string[] | null
}

/**
 * Creates the JSON Schema of configs over one contract, for editors. It narrows the schema of all configs to the paths,
 * tables, locales and filter keys of the contract. A path has to begin with a field of the contract; common paths are
 * listed.
 */
export function toConfigSchema(subject: ConfigSubject): JsonSchema {
  const { contract, endpoint, locales, tables } = subject
  const request = endpoint === null ? null : toRequestSchema(endpoint)
  const paths = listPaths(toRoot(contract), locales)
  const usual = planTables(contract, undefined, locales).tables
  const named = tables ?? usual.map(({ name }) => name)
  const elements = [...paths.lists.values()].map((element) => listPaths(element, locales))
  const rows = [paths, ...elements].flatMap((each, at) => [
    [`paths${at}`, toPath(each, contract)],
    [`rows${at}`, toRowMembers(each, `paths${at}`)],
  ])
  const own = {
    ...(request && { source: { properties: request.properties } }),
    ...(endpoint && { sourceIds: { properties: { field: offer(listIdentifierKeys(endpoint)) } } }),
    locales: { items: reference('locale') },
    where: toWhere(paths),
    tables: toTables(usual),
    outputs: {
      items: { properties: { tables: { items: offer(named) }, partitionBy: { items: reference('column') } } },
    },
    expect: { items: { properties: { table: offer(named), column: reference('column') } } },
  }
  const locale = {
    anyOf: [
      { enum: [...new Set([...locales, ...specLocales])] },
      { type: 'string', pattern: localeForm.source },
      variable,
    ],
  }
  const column = offer([...new Set(usual.flatMap(({ columns }) => columns.map(({ name }) => name)))])
  const { title, $defs, ...base } = toPipelineJsonSchema()
  return {
    ...base,
    title: `${title as string} over ${endpoint?.name ?? contract.name}`,
    allOf: [{ properties: own }],
    $defs: {
      ...($defs as JsonSchema),
      ...request?.definitions,
      ...Object.fromEntries(rows),
      table: toTable([...paths.lists.keys()]),
      locale,
      column,
    },
  }
}

function offer(values: readonly string[]): JsonSchema {
  return values.length === 0 ? { type: 'string' } : { anyOf: [{ enum: values }, { type: 'string' }] }
}

function reference(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` }
}

/** The members of a table that contain paths, restricted to the paths in `$defs/NAME`. */
function toRowMembers(paths: FieldPaths, name: string): JsonSchema {
  const path = reference(name)
  const ofLocale = { anyOf: [{ enum: ['spec'] }, { type: 'array', items: reference('locale') }] }
  const column = {
    type: 'object',
    properties: { from: path, as: offer(plainKinds), locale: reference('locale'), fallback: ofLocale },
  }
  const columns = { type: 'array', items: { anyOf: [{ enum: ['all'] }, path, column] } }
  return {
    properties: {
      columns: { anyOf: [{ enum: ['all'] }, variable, columns] },
      exclude: { items: { anyOf: [{ enum: ['deprecated', 'volatile'] }, path] } },
      where: toWhere(paths),
    },
  }
}

/** Accepts listed paths, columns of the source, and any path that begins with a field. */
function toPath({ columns, names }: FieldPaths, { given }: Contract): JsonSchema {
  const listed = [...columns, ...(given?.fields.keys() ?? []), '$']
  return { anyOf: [{ enum: listed }, { type: 'string', pattern: toPattern(names) }, variable] }
}

function toPattern(names: readonly string[]): string {
  return `^(?:${names.join('|')})(?:[.[]|$)`
}

function toWhere({ conditions, names }: FieldPaths): JsonSchema {
  const properties = [...conditions].map(([path, values]) => [path, toCondition(values)] as const)
  return { properties: Object.fromEntries(properties), propertyNames: { pattern: toPattern([...names, 'any']) } }
}

/** Accepts a listed value or null, alone, in a list or under `not`. Other forms are left to the base schema. */
function toCondition(values: readonly string[]): JsonSchema | true {
  if (values.length === 0) return true
  const value = { anyOf: [{ enum: [...values, null] }, variable] }
  const oneOrMore = [value, { type: 'array', items: value }]
  return { anyOf: [...oneOrMore, { type: 'object', properties: { not: { anyOf: oneOrMore } } }] }
}

function toTables(usual: readonly TablePlan[]): JsonSchema {
  const properties = usual.map(({ name, each }) => [
    name,
    { ...reference('table'), ...(each.length > 0 && { default: { each: formatEach(each) } }) },
  ])
  return { properties: Object.fromEntries(properties) as JsonSchema, additionalProperties: reference('table') }
}

/** Tables use paths of the record or, with `each`, paths of that list's elements. */
function toTable(lists: readonly string[]): JsonSchema {
  const ofRecord = toRule({ not: { required: ['each'] } }, 0)
  const ofLists = lists.map((each, at) => toRule({ properties: { each: { const: each } }, required: ['each'] }, at + 1))
  return { properties: { each: offer(lists) }, allOf: [ofRecord, ...ofLists] }
}

function toRule(condition: JsonSchema, rows: number): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: condition, then: reference(`rows${rows}`) }
}

function listIdentifierKeys({ filters }: Endpoint): string[] {
  return Object.keys(filters).filter((key) => filters[key]?.identifier === true)
}

interface RequestSchema {
  readonly properties: JsonSchema
  readonly definitions: JsonSchema
}

function toRequestSchema(endpoint: Endpoint): RequestSchema {
  const schema = z.toJSONSchema(createRequestSchema(endpoint), { io: 'input', unrepresentable: 'any' })
  const { properties = {}, $defs = {} } = allowVariables(schema) as {
    readonly properties?: JsonSchema
    readonly $defs?: JsonSchema
  }
  const { filter, sorting } = properties
  return { properties: { filter, sorting }, definitions: $defs }
}

/** Allows a variable in place of every scalar, and keys of other markets that begin with `snomed`. */
function allowVariables(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowVariables)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema as JsonSchema)
  const inner = Object.fromEntries(
    members.map(([key, value]) => [key, isInner.has(key) ? allowInside(key, value) : value]),
  )
  const { properties } = inner
  if (isObject(properties) && 'gs1Category' in properties) return { ...inner, patternProperties: { '^snomed': {} } }
  return isScalar(inner) ? { anyOf: [inner, variable] } : inner
}

const isInner = new Set(['properties', '$defs', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])

/** Names below `properties` and `$defs` are not keywords. */
function allowInside(key: string, value: unknown): unknown {
  if (key !== 'properties' && key !== '$defs') return allowVariables(value)
  const members = Object.entries(value as JsonSchema)
  return Object.fromEntries(members.map(([name, schema]) => [name, allowVariables(schema)]))
}

function isScalar({ type, ...rest }: JsonSchema): boolean {
  return 'enum' in rest || 'const' in rest || (typeof type === 'string' && type !== 'object' && type !== 'array')
}
