import { Command, Option } from 'commander'
import { ddlDialects, formatDdl, type DdlDialectName } from '../../ddl/format-ddl.ts'
import { withConfigOptions } from './config-options.ts'
import { loadPipelines } from '../load-pipelines.ts'
import { requirePlans } from '../require-plans.ts'
import { say, type Terminal } from '../terminal.ts'

interface DdlOptions {
  readonly dialect: DdlDialectName
  readonly set?: readonly string[]
  readonly env?: readonly string[]
  readonly out?: string
}

export function createDdlCommand(terminal: Terminal): Command {
  return withConfigOptions(new Command('ddl'))
    .description('Prints the statements that create the tables of a config and load its published files.')
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .addOption(new Option('--dialect <name>', 'the warehouse').choices(Object.keys(ddlDialects)).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  $ catalogue-etl ddl pipelines/products.yaml --dialect postgres | psql')
    .action((file: string, options: DdlOptions) => showDdl(file, options, terminal))
}

async function showDdl(
  file: string,
  { dialect, set, env: envFile, out }: DdlOptions,
  terminal: Terminal,
): Promise<void> {
  const loaded = await loadPipelines([file], { set, envFile, out, needsService: false }, terminal)
  const [plan] = requirePlans(loaded, terminal)
  if (plan !== undefined)
    terminal.stdout.write(formatDdl(plan, dialect, (message) => say(terminal, `${plan.name}: ${message}`)))
}
