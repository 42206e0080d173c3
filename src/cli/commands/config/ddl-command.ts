import { ddlDialects, formatDdl, type DdlDialectName } from '../../../describe/ddl/format-ddl.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, choice, flag, required } from '../../parameter.ts'
import { toShardedFile } from '../../../shards/attempt-paths.ts'
import { configOptions } from '../../shared-options.ts'
import { log } from '../../terminal.ts'

export const ddlCommand = defineCommand({
  description: 'Prints the statements that create the tables of a config and load its published files.',
  otherNames: ['sql'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...configOptions,
    dialect: required(choice('<name>', 'the warehouse', Object.keys(ddlDialects) as DdlDialectName[])),
    shards: flag('load what `shards commit` publishes: a folder of parts for each table'),
  },
  examples: ['catalogue-etl ddl pipelines/products.yaml --dialect postgres | psql'],
  async run({ config, dialect, shards, ...options }, terminal) {
    const { plan } = await loadPlan(config, { ...options, needsService: false }, terminal)
    const warn = (message: string) => log(terminal, `${plan.name}: ${message}`)
    const files = shards ? plan.outputs.files.map(toShardedFile) : plan.outputs.files
    terminal.stdout.write(formatDdl({ ...plan, outputs: { ...plan.outputs, files } }, dialect, warn))
  },
})
