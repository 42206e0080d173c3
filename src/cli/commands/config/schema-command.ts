import { readConfigDocument } from '../../../config/config-document.ts'
import { toPipelineJsonSchema } from '../../../config/pipeline-json-schema.ts'
import { findConfigSubject } from '../../../describe/config-subject.ts'
import { toConfigSchema } from '../../../describe/to-config-schema.ts'
import { CatalogueError } from '../../../errors.ts'
import { defineCommand } from '../../command.ts'
import { requirePlans } from '../../load-pipelines.ts'
import { argument } from '../../parameter.ts'
import { writeJson, type Terminal } from '../../terminal.ts'

export const schemaCommand = defineCommand({
  description:
    'Prints a JSON Schema by which an editor completes and checks a config: the fields of its contract, its tables and locales, the filter keys of its endpoint. Without a config that of all configs.',
  arguments: { config: argument('[config]', 'a YAML, JSON, .ts or .js file, which may be half written') },
  examples: ['catalogue-etl schema products.yaml > products.schema.json'],
  run: printConfigSchema,
})

export async function printConfigSchema(
  { config }: { readonly config: string | undefined },
  terminal: Terminal,
): Promise<void> {
  writeJson(terminal, config === undefined ? toPipelineJsonSchema() : await toSchemaOf(config, terminal))
}

async function toSchemaOf(file: string, terminal: Terminal): Promise<object> {
  const { value, isUnderstood, problems } = await readConfigDocument(file)
  // Prints the problems and throws.
  if (!isUnderstood) requirePlans([{ file, env: terminal.env, problems, notes: [], plan: null }], terminal)
  const subject = findConfigSubject(value)
  if (subject !== null) return toConfigSchema(subject)
  const message = `${file}: source: expected an endpoint or a contract that is known, got none`
  throw new CatalogueError('CONFIG_INVALID', message, {
    outputs: 'Nothing was printed.',
    fix: '`catalogue-etl describe --as config-schema` prints the schema of all configs, which offers both.',
  })
}
