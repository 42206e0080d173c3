import { findDefault, readConfigSchema, type Schema } from './config-schema.ts'
import { formatTypes } from './types/record-types.ts'
import { formatSchema, formatSchemaMembers, formatUnion, type SchemaStyle, toSharedName } from './types/schema-types.ts'

/** `src/config/pipeline-config.ts`: the type of a config with a comment on each key, which a type that zod infers lacks. */
export function formatConfigTypes(): Promise<string> {
  const schema = readConfigSchema()
  const { $defs: all = {} } = schema
  const shared = Object.entries(all).map(([name, each]) => `${formatShared(name, each, all)}\n`)
  return formatTypes(`${head}export interface PipelineConfig ${formatSchemaMembers(schema, style)}\n${shared.join('')}`)
}

const head = `/* Made from the zod schema by \`npm run docs\`. */
/* oxlint-disable typescript/no-explicit-any -- functions of users have types of their own */
import type { StandardSchema } from '../contracts/standard-schema.ts'
import type { OpenOwnOutput } from '../records/own-output.ts'

/** A pipeline config as it is written: everything but \`name\` and \`source\` may be left out. */
`

const style: SchemaStyle = { toComment: formatComment, toShared: toTypeName, isReadonly: false }

/** A type that several keys have. */
function formatShared(name: string, schema: Schema, defs: NonNullable<Schema['$defs']>): string {
  const { properties, additionalProperties: others } = schema
  if (properties === undefined) return `type ${toTypeName(name)} = ${formatSchema(schema, style)}`
  const values = [...(typeof others === 'object' ? [others] : []), ...Object.values(properties)]
  const all = values.map((each) => formatSchema(each, style))
  const described = Object.entries(properties).map(([key, each]) => {
    return [key, { ...defs[toSharedName(each)], ...each }] as const
  })
  const members = formatSchemaMembers({ ...schema, properties: Object.fromEntries(described) }, style).slice(0, -1)
  return `export interface ${toTypeName(name)} ${members}[key: string]: ${formatUnion([...all, 'undefined'])}\n}`
}

function toTypeName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function formatComment(key: string, schema: Schema): string {
  if (schema.description === undefined) throw new Error(`the key "${key}" of pipeline configs needs a .describe()`)
  const fallback = findDefault(schema)
  return `/** ${schema.description}${fallback === null ? '' : `. Default \`${fallback}\``}. */\n`
}
