import { Command } from 'commander'
import { readConfigDocument } from '../../config/config-document.ts'
import { toPipelineJsonSchema } from '../../config/pipeline-json-schema.ts'
import { findConfigSubject } from '../../describe/config-subject.ts'
import { toConfigSchema } from '../../describe/to-config-schema.ts'
import { CatalogueError } from '../../errors.ts'
import { requirePlans } from '../load-pipelines.ts'
import { writeJson, type Terminal } from '../terminal.ts'

export function createSchemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .description(
      'Prints a JSON Schema by which an editor completes and checks a config: the fields of its contract, its tables and locales, the filter keys of its endpoint. Without a config that of all configs.',
    )
    .argument('[config]', 'a YAML, JSON, .ts or .js file, which may be half written')
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl schema products.yaml > products.schema.json\n  Then the first line of the config: # yaml-language-server: $schema=./products.schema.json',
    )
    .action(async (file?: string) =>
      writeJson(terminal, file === undefined ? toPipelineJsonSchema() : await toSchemaOf(file, terminal)),
    )
}

async function toSchemaOf(file: string, terminal: Terminal): Promise<object> {
  const { value, isUnderstood, problems } = await readConfigDocument(file)
  // Prints them, and throws.
  if (!isUnderstood) requirePlans([{ file, env: terminal.env, problems, notes: [], plan: null }], terminal)
  const subject = findConfigSubject(value)
  if (subject !== null) return toConfigSchema(subject)
  const message = `${file}: source: expected an endpoint or a contract that is known, got none`
  throw new CatalogueError('CONFIG_INVALID', message, {
    outputs: 'Nothing was printed.',
    fix: '`catalogue-etl schema` prints the schema of all configs, which offers both.',
  })
}
