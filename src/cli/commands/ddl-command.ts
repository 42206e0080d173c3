import { Command, Option } from 'commander'
import { ddlDialects, formatDdl, type DdlDialectName } from '../../describe/ddl/format-ddl.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { toShardedFile } from '../../shards/attempt-paths.ts'
import { withConfigOptions } from './command-options.ts'
import { log, type Terminal } from '../terminal.ts'

interface DdlOptions extends ConfigOptions {
  readonly dialect: DdlDialectName
  readonly shards?: true
}

export function createDdlCommand(terminal: Terminal): Command {
  return withConfigOptions(new Command('ddl'))
    .description('Prints the statements that create the tables of a config and load its published files.')
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .addOption(new Option('--dialect <name>', 'the warehouse').choices(Object.keys(ddlDialects)).makeOptionMandatory())
    .option('--shards', 'load what `shards commit` publishes: a folder of parts for each table')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl ddl pipelines/products.yaml --dialect postgres | psql')
    .action((file: string, options: DdlOptions) => showDdl(file, options, terminal))
}

async function showDdl(file: string, options: DdlOptions, terminal: Terminal): Promise<void> {
  const { plan } = await loadPlan(file, { ...options, needsService: false }, terminal)
  const warn = (message: string) => log(terminal, `${plan.name}: ${message}`)
  const files = options.shards ? plan.outputs.files.map(toShardedFile) : plan.outputs.files
  terminal.stdout.write(formatDdl({ ...plan, outputs: { ...plan.outputs, files } }, options.dialect, warn))
}
