import { readdirSync, readFileSync } from 'node:fs'
import { format } from 'prettier'

interface PublishedSchema {
  readonly $id: string
  readonly properties?: Readonly<Record<string, { readonly $ref: string }>>
}

/** The names of OpenLineage's facets with the addresses of their schemas, from those in `build/openlineage/`. */
export async function formatLineageSchemas(): Promise<string> {
  const folder = new URL('openlineage/', import.meta.url)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const schemas = names.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as PublishedSchema)
  const facets = schemas.flatMap(({ $id, properties = {} }) =>
    Object.entries(properties).map(([name, { $ref }]) => `  ${name}:\n    '${$id}${$ref}',\n`),
  )
  const event = schemas.find(({ $id }) => $id.endsWith('/OpenLineage.json'))?.$id
  const source = `/* Made from the schemas in build/openlineage/ by \`npm run docs\`. */

export const runEventSchema = '${event}#/$defs/RunEvent'

/** The schema of each facet, in the version that events are written by. */
export const facetSchemas = {
${facets.join('')}} as const
`
  return format(source, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 120 })
}
