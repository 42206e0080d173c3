import { z } from 'zod'
import { landing, landingManifest } from '../../src/manifest/landing-schema.ts'
import { manifestSchema } from '../../src/manifest/manifest-schema.ts'
import { rawText, reject } from '../../src/manifest/rejects-schema.ts'
import { pastRunSchema } from '../../src/manifest/runs-schema.ts'
import { csvDialect } from '../../src/manifest/state-schema.ts'
import type { Schema } from '../config-schema.ts'
import { formatTypes } from './record-types.ts'
import { formatSchema, type SchemaStyle, toSharedName } from './schema-types.ts'

/** `src/manifest/manifest-types.ts`: the types of what a run leaves, which name no package. */
export function formatManifestTypes(): Promise<string> {
  const types = [
    formatDeclared('Manifest', 'The report of a published run, which its manifest holds', manifestSchema),
    formatDeclared('RejectedRecord', 'A line of the rejects file, without the text of the record', reject),
    formatDeclared('RawText', 'A line as text; as base64 if it is no UTF-8; only its beginning if it is long', rawText),
    formatDeclared('CsvDialect', 'How a CSV file is written', csvDialect),
    formatDeclared('PastRun', 'A run of the past, as the history of its pipeline has it', pastRunSchema),
    formatDeclared('LandingManifest', 'The manifest of a file that `fetch` landed', landingManifest),
    formatDeclared('Landing', 'What a run reads of the manifest of a landed file', landing),
  ]
  return formatTypes(
    `/* Made from the zod schemas by \`npm run docs\`. */\n// oxlint-disable max-lines\n\n${types.join('\n\n')}\n`,
  )
}

function formatDeclared(name: string, description: string, of: z.ZodType): string {
  const schema = z.toJSONSchema(of, { io: 'output', unrepresentable: 'any' }) as Schema
  const { $defs: shared = {} } = schema
  const style: SchemaStyle = {
    toComment: (_, { description: text }) => (text === undefined ? '' : `/** ${toSentence(text)} */\n`),
    toShared: (each) => formatSchema(shared[each] ?? {}, style),
    isReadonly: true,
  }
  const root = schema.$ref === undefined ? schema : (shared[toSharedName(schema)] ?? {})
  const type = formatSchema(root, style)
  const declared = root.properties === undefined ? `type ${name} =` : `interface ${name}`
  return `/** ${description}. */\nexport ${declared} ${type}`
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
