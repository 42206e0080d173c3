import { findDefault, readConfigSchema, type Schema } from './config-schema.ts'

/** `docs/config-keys.md`: every key of a pipeline config, from the descriptions of its schema. */
export function formatConfigKeys(): string {
  const { properties: keys = {} } = readConfigSchema()
  const { tables, outputs, expect, media } = keys
  const [table] = listChoices(tables)
  const columns = table?.properties?.['columns']
  const [column] = listChoices(columns).flatMap(({ items }) => listChoices(items).filter(hasKeys))
  return `${head}
## The config

${formatTable(keys)}
## A table of \`tables\`

${formatTable(table?.properties)}
## A column of \`columns\`

${formatTable(column?.properties)}
## An output

${formatOutputs(listChoices(outputs?.items))}
## A rule of \`expect\`

${formatTable(expect?.items?.properties)}
## The section \`media\`

${formatTable(media?.properties)}`
}

const head = `# Every key of a config

Made from the schema of configs by \`npm run docs\`; an editor shows the same ([how](configuration.md#in-an-editor)). What the keys are
for, by task: [configuration.md](configuration.md). Durations are \`500ms\`, \`30s\`, \`10m\`, \`1h\`, \`7d\`, or a number of
seconds; sizes are bytes, or \`256MB\`.
`

/** The keys that several outputs have first, then those that only some of them have. */
function formatOutputs(outputs: readonly Schema[]): string {
  const rows = new Map<string, Set<string>>()
  for (const { properties = {} } of outputs) {
    const format = String(properties['format']?.const)
    for (const [key, schema] of Object.entries(properties)) {
      const row = formatRow(key === 'format' ? `format: ${format}` : key, schema)
      rows.set(row, (rows.get(row) ?? new Set()).add(format))
    }
  }
  const lines = [...rows].map(([row, formats]) => {
    return row.replace('\n', formats.size === outputs.length ? ' all |\n' : ` ${[...formats].join(', ')} |\n`)
  })
  return `| Key | Default | Meaning | Of |\n|---|---|---|---|\n${lines.join('')}`
}

function formatTable(keys: Schema['properties'] = {}): string {
  return `| Key | Default | Meaning |\n|---|---|---|\n${formatRows(keys, '')}`
}

function formatRows(keys: NonNullable<Schema['properties']>, prefix: string): string {
  const rows = Object.entries(keys).map(([key, schema]) => {
    const [inner] = ownTables.has(key) ? [] : listChoices(schema).filter(hasKeys)
    return formatRow(prefix + key, schema) + formatRows(inner?.properties ?? {}, `${prefix}${key}.`)
  })
  return rows.join('')
}

/** Keys whose members have a table of their own. */
const ownTables = new Set(['tables', 'outputs', 'expect', 'media', 'where'])

function formatRow(key: string, schema: Schema): string {
  const fallback = findDefault(schema)
  const meaning = (schema.description ?? '').replaceAll('|', String.raw`\|`)
  return `| \`${key}\` | ${fallback === null ? '' : `\`${fallback.replaceAll('|', String.raw`\|`)}\``} | ${meaning} |\n`
}

function hasKeys({ properties }: Schema): boolean {
  return properties !== undefined
}

/** The shapes that a value may have; of a record by name those of its members. */
function listChoices(schema: Schema | undefined): readonly Schema[] {
  const { anyOf, oneOf, additionalProperties: members } = schema ?? {}
  if (typeof members === 'object') return [members]
  return anyOf ?? oneOf ?? (schema === undefined ? [] : [schema])
}
