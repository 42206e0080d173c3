import { Command, Option } from 'commander'
import { toDataPackage } from '../../describe/to-data-package.ts'
import { toDbtSources } from '../../describe/to-dbt-sources.ts'
import { toMarkdown } from '../../describe/to-markdown.ts'
import { toRowSchema } from '../../describe/to-row-schema.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { withConfigOptions } from './command-options.ts'
import type { Terminal } from '../terminal.ts'

const forms = {
  markdown: ({ name, records }) => toMarkdown(name, records),
  datapackage: (plan) => formatJson(toDataPackage(plan)),
  'dbt-sources': ({ name, records }) => toDbtSources(name, records),
  'json-schema': ({ name, records }) => formatJson(toRowSchema(name, records)),
} as const satisfies Record<string, (plan: PipelinePlan) => string>

interface DescribeOptions extends ConfigOptions {
  readonly as: keyof typeof forms
}

export function createDescribeCommand(terminal: Terminal): Command {
  return withConfigOptions(new Command('describe'))
    .description(
      'Prints what the tables and columns of a config mean: types, units, listed values and keys. Reads no data.',
    )
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .addOption(new Option('--as <form>', 'the form').choices(Object.keys(forms)).default('markdown'))
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl describe pipelines/products.yaml --as dbt-sources > models/sources.yml',
    )
    .action(async (file: string, options: DescribeOptions) => {
      const { plan } = await loadPlan(file, { ...options, needsService: false }, terminal)
      terminal.stdout.write(forms[options.as](plan))
    })
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
