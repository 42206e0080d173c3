import type { Schema } from '../config-schema.ts'

/** How the types of a JSON Schema are written. */
export interface SchemaStyle {
  /** The comment above a member. */
  readonly toComment: (key: string, schema: Schema) => string
  /** The type of a shared schema, by its name in `$defs`. */
  readonly toShared: (name: string) => string
  readonly isReadonly: boolean
}

export function formatSchemaMembers({ properties = {}, required = [] }: Schema, style: SchemaStyle): string {
  const members = Object.entries(properties).map(([key, schema]) => {
    const isOptional = !required.includes(key)
    const name = `${style.isReadonly ? 'readonly ' : ''}${key}${isOptional ? '?' : ''}`
    const type = formatSchema(schema, style)
    return `${style.toComment(key, schema)}${name}: ${type}${isOptional && type !== 'unknown' ? ' | undefined' : ''}\n`
  })
  return `{\n${members.join('')}}`
}

export function formatSchema(schema: Schema, style: SchemaStyle): string {
  if (schema.$ref !== undefined) return style.toShared(toSharedName(schema))
  if (schema.$comment !== undefined) return `(${schema.$comment})`
  const { anyOf, oneOf, enum: values, const: value, type, items, additionalProperties: others } = schema
  const inside = (each: Schema) => formatSchema(each, style)
  const choices = anyOf ?? oneOf
  const before = style.isReadonly ? 'readonly ' : ''
  if (choices !== undefined) return formatUnion(choices.map(inside))
  if (values !== undefined) return formatUnion(values.map((each) => JSON.stringify(each)))
  if (value !== undefined) return JSON.stringify(value)
  if (typeof type === 'object') return formatUnion(type)
  if (items !== undefined) return `${before}(${inside(items)})[]`
  if (schema.properties !== undefined) return formatSchemaMembers(schema, style)
  if (type === 'object') return formatRecord(typeof others === 'object' ? inside(others) : 'unknown', style)
  return type === 'integer' ? 'number' : (type ?? 'unknown')
}

function formatRecord(value: string, { isReadonly }: SchemaStyle): string {
  const record = `Record<string, ${value}>`
  return isReadonly ? `Readonly<${record}>` : record
}

/** The name of a schema in `$defs`. */
export function toSharedName({ $ref = '' }: Schema): string {
  return $ref.replace('#/$defs/', '')
}

export function formatUnion(types: readonly string[]): string {
  const members = types.flatMap((type) => (/[{(]/.test(type) ? [type] : type.split(' | ')))
  return [...new Set(members)].join(' | ')
}
