import { format } from 'prettier'
import { findDefault, readConfigSchema, type Schema } from './config-schema.ts'

/** `src/config/pipeline-config.ts`: the type of a config with a comment on each key, which a type that zod infers lacks. */
export function formatConfigTypes(): Promise<string> {
  const schema = readConfigSchema()
  const { $defs: all = {} } = schema
  const shared = Object.entries(all).map(([name, each]) => `${formatShared(name, each, all)}\n`)
  const source = `${head}export interface PipelineConfig ${formatMembers(schema)}\n${shared.join('')}`
  return format(source, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 120 })
}

const head = `/* Made from the zod schema by \`npm run docs\`. */
/* oxlint-disable typescript/no-explicit-any -- functions of users have types of their own */

/** A pipeline config as it is written: everything but \`name\` and \`source\` may be left out. */
`

/** A type that several keys have. */
function formatShared(name: string, schema: Schema, defs: NonNullable<Schema['$defs']>): string {
  const { properties, additionalProperties: others } = schema
  if (properties === undefined) return `type ${toTypeName(name)} = ${formatType(schema)}`
  const all = [...(typeof others === 'object' ? [others] : []), ...Object.values(properties)].map(formatType)
  const described = Object.entries(properties).map(([key, each]) => {
    return [key, { ...defs[toDefName(each)], ...each }] as const
  })
  const members = formatMembers({ ...schema, properties: Object.fromEntries(described) }).slice(0, -1)
  return `export interface ${toTypeName(name)} ${members}[key: string]: ${formatUnion([...all, 'undefined'])}\n}`
}

function toDefName({ $ref = '' }: Schema): string {
  return $ref.replace('#/$defs/', '')
}

function toTypeName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function formatMembers({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([key, schema]) => {
    const isOptional = !required.includes(key)
    return `${formatComment(key, schema)}${key}${isOptional ? '?' : ''}: ${formatType(schema)}${isOptional ? ' | undefined' : ''}\n`
  })
  return `{\n${members.join('')}}`
}

function formatComment(key: string, schema: Schema): string {
  if (schema.description === undefined) throw new Error(`the key "${key}" of pipeline configs needs a .describe()`)
  const fallback = findDefault(schema)
  return `/** ${schema.description}${fallback === null ? '' : `. Default \`${fallback}\``}. */\n`
}

function formatType(schema: Schema): string {
  if (schema.$ref !== undefined) return toTypeName(toDefName(schema))
  if (schema.$comment !== undefined) return `(${schema.$comment})`
  const { anyOf, oneOf, enum: values, const: value, type, items, additionalProperties: others } = schema
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return formatUnion(choices.map(formatType))
  if (values !== undefined) return formatUnion(values.map((each) => JSON.stringify(each)))
  if (value !== undefined) return JSON.stringify(value)
  if (typeof type === 'object') return formatUnion(type)
  if (items !== undefined) return `(${formatType(items)})[]`
  if (schema.properties !== undefined) return formatMembers(schema)
  if (type === 'object') return `Record<string, ${typeof others === 'object' ? formatType(others) : 'unknown'}>`
  return type === 'integer' ? 'number' : (type ?? 'unknown')
}

function formatUnion(types: readonly string[]): string {
  const members = types.flatMap((type) => (/[{(]/.test(type) ? [type] : type.split(' | ')))
  return [...new Set(members)].join(' | ')
}
