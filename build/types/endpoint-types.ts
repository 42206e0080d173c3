import { z } from 'zod'
import type { Endpoint } from '../../src/service/endpoints/endpoint.ts'
import { endpoints } from '../../src/service/endpoints/endpoints.ts'
import type { Schema } from '../config-schema.ts'
import { formatComment, formatTypes, toPascal } from './record-types.ts'
import { formatSchema, type SchemaStyle } from './schema-types.ts'

/** `src/service/endpoints/endpoint-types.ts`: what every endpoint of the service takes, which names no package. */
export function formatEndpointTypes(): Promise<string> {
  const shared = new SharedKeys()
  const members = Object.values<Endpoint>(endpoints).map((endpoint) => formatEndpoint(endpoint, shared))
  return formatTypes(`/* Made from the endpoints by \`npm run docs\`. */
// oxlint-disable max-lines

/** What the service has, and the keys of its requests, by the name of the endpoint. */
export interface Endpoints {\n${members.join('')}}

${shared.texts.join('\n\n')}\n`)
}

function formatEndpoint(endpoint: Endpoint, shared: SharedKeys): string {
  const { name, contract, sorting, combinators, openKeys } = endpoint
  const isOpen = openKeys === true
  const owner = toPascal(name.replaceAll('/', '-'))
  const filters = Object.entries(endpoint.filters).map(([key, { accepts, deprecated, schema }]) => {
    const before = `${formatComment(toSentence(accepts), deprecated)}readonly `
    return `${before}${key}?: ${formatInput(schema)}\n`
  })
  const sortings = Object.entries(endpoint.sortings).map(([key, schema]) => {
    return `readonly ${key}?: ${formatInput(schema)}\n`
  })
  return `'${name}': {
contract: '${contract}'
filters: ${shared.toName(`${owner}Filters`, `Filter keys of \`${name}\``, filters, isOpen)}
sortings: ${shared.toName(`${owner}Sortings`, `Keys that \`${name}\` sorts by`, sortings, isOpen && sorting !== 'none')}
combinators: ${combinators}
openKeys: ${JSON.stringify(openKeys).replaceAll('"', "'")}
openSortings: ${sorting !== 'none'}
}\n`
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** A value, or text with an environment variable if the type has no text of its own. */
function formatInput(schema: z.ZodType): string {
  const type = formatSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, style)
  return type.split(' | ').includes('string') ? type : `${type} | Variable`
}

const style: SchemaStyle = { toComment: () => '', toShared: (name) => name, isReadonly: true }

/** Interfaces of keys; equal ones are written once. */
class SharedKeys {
  readonly texts = [
    '/** Text with an environment variable, which a config may have anywhere. */\nexport type Variable = `${string}\\${${string}}${string}`',
    'type NoKeys = Readonly<Record<string, never>>',
  ]
  readonly #nameOf = new Map<string, string>()

  toName(name: string, description: string, members: readonly string[], isOpen: boolean): string {
    if (members.length === 0) return isOpen ? 'object' : 'NoKeys'
    const text = members.join('')
    const known = this.#nameOf.get(text)
    if (known !== undefined) return known
    this.#nameOf.set(text, name)
    this.texts.push(`${formatComment(description)}export interface ${name} {\n${text}}`)
    return name
  }
}
