import { toDataPackage } from '../../../describe/to-data-package.ts'
import { toDbtSources } from '../../../describe/to-dbt-sources.ts'
import { toMarkdown } from '../../../describe/to-markdown.ts'
import { toRowSchema } from '../../../describe/to-row-schema.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, choice, withDefault } from '../../parameter.ts'
import { configOptions } from '../../shared-options.ts'

const forms = {
  markdown: ({ name, records }) => toMarkdown(name, records),
  datapackage: (plan) => formatJson(toDataPackage(plan)),
  'dbt-sources': ({ name, records }) => toDbtSources(name, records),
  'json-schema': ({ name, records }) => formatJson(toRowSchema(name, records)),
} as const satisfies Record<string, (plan: PipelinePlan) => string>

export const describeCommand = defineCommand({
  description:
    'Prints what the tables and columns of a config mean: types, units, listed values and keys. Reads no data.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...configOptions,
    as: withDefault(choice('<form>', 'the form', Object.keys(forms) as (keyof typeof forms)[]), 'markdown'),
  },
  examples: ['catalogue-etl describe pipelines/products.yaml --as dbt-sources > models/sources.yml'],
  async run({ config, as, ...options }, terminal) {
    const { plan } = await loadPlan(config, { ...options, needsService: false }, terminal)
    terminal.stdout.write(forms[as](plan))
  },
})

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
