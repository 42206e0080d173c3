import { toDataPackage } from '../../../describe/to-data-package.ts'
import { toDbtSources } from '../../../describe/to-dbt-sources.ts'
import { toMarkdown } from '../../../describe/to-markdown.ts'
import { toRowSchema } from '../../../describe/to-row-schema.ts'
import { isContractName } from '../../../contracts/contracts.ts'
import { planContract } from '../../../describe/plan-contract.ts'
import { CatalogueError } from '../../../errors.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, choice, withDefault } from '../../parameter.ts'
import { configOptions } from '../../shared-options.ts'
import type { Terminal } from '../../terminal.ts'
import { ddlOptions, printDdl } from './ddl-command.ts'
import { printConfigSchema } from './schema-command.ts'

/** Forms that follow from a config alone. */
const forms = {
  markdown: ({ name, records }) => toMarkdown(name, records),
  datapackage: (plan) => formatJson(toDataPackage(plan)),
  'dbt-sources': ({ name, records }) => toDbtSources(name, records),
  'json-schema': ({ name, records }) => formatJson(toRowSchema(name, records)),
} as const satisfies Record<string, (plan: PipelinePlan) => string>

const formNames = [...(Object.keys(forms) as (keyof typeof forms)[]), 'ddl', 'config-schema'] as const

const describeOptions = {
  ...configOptions,
  as: withDefault(choice('<form>', 'the form', formNames), 'markdown'),
  ...ddlOptions,
}

export const describeCommand = defineCommand({
  description:
    'Prints what the tables and columns of a config mean: types, units, listed values and keys; or the statements that create and load them, or a JSON Schema by which an editor completes and checks the config.',
  arguments: {
    config: argument(
      '[config]',
      'a YAML, JSON, .ts or .js file, or the name of a contract (v4/product); for config-schema it may be half written, or left out',
    ),
  },
  options: describeOptions,
  examples: [
    'catalogue-etl describe v4/product',
    'catalogue-etl describe pipelines/products.yaml --as dbt-sources > models/sources.yml',
    'catalogue-etl describe pipelines/products.yaml --as ddl --dialect postgres | psql',
    'catalogue-etl describe pipelines/changes.yaml --as ddl --dialect postgres --changes | psql -v ON_ERROR_STOP=1',
    'catalogue-etl describe pipelines/nightly-lake.yaml --as ddl --dialect duckdb --views > views.sql',
    `catalogue-etl describe products.yaml --as config-schema > products.schema.json
  Then the first line of the config: # yaml-language-server: $schema=./products.schema.json`,
  ],
  async run({ config, as, ...options }, terminal) {
    if (as === 'config-schema') return printConfigSchema({ config }, terminal)
    if (config === undefined) throw new CatalogueError('USAGE', `expected a config for --as ${as}, got none`)
    if (as === 'ddl') return printStatements({ config, ...options }, terminal)
    const own = Object.keys(ddlOptions).find((name) => options[name as keyof typeof ddlOptions] !== undefined)
    if (own !== undefined) throw new CatalogueError('USAGE', `--${own}: expected only with --as ddl, got --as ${as}`)
    const plan = isContractName(config)
      ? planContract(config)
      : (await loadPlan(config, { ...options, needsService: false }, terminal)).plan
    terminal.stdout.write(forms[as](plan))
  },
})

function printStatements(
  { dialect, ...input }: Omit<InputOf<typeof describeOptions>, 'as'> & { readonly config: string },
  terminal: Terminal,
): Promise<void> {
  if (dialect === undefined)
    throw new CatalogueError(
      'USAGE',
      `expected --dialect with --as ddl, one of ${(ddlOptions.dialect.choices ?? []).join(', ')}`,
    )
  return printDdl({ ...input, dialect }, terminal)
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
