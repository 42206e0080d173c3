import { Command } from 'commander'
import { previewPlan, type PreviewTable } from '../../engine/run/preview-plan.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { withConfigOptions, withFromOption, toCount } from './command-options.ts'
import { listUnapplied } from '../render/list-unapplied.ts'
import { renderRows } from '../render/render-rows.ts'
import { print, colorsFor, log, writeJson, type Terminal } from '../terminal.ts'

interface PreviewOptions extends ConfigOptions {
  readonly rows: number
  readonly table?: string
  readonly json?: true
}

export function createPreviewCommand(terminal: Terminal): Command {
  return withFromOption(withConfigOptions(new Command('preview')))
    .description('Shows the first rows of each table; writes nothing.')
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .option('--rows <n>', 'how many rows of each table', toCount, 3)
    .option('--table <name>', 'only this table')
    .option('--json', 'write the rows as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl preview pipelines/products.yaml --table products --rows 5')
    .action((file: string, options: PreviewOptions) => preview(file, options, terminal))
}

async function preview(file: string, options: PreviewOptions, terminal: Terminal): Promise<void> {
  const { from, rows, table, json } = options
  const loaded = await loadPlan(file, { ...options, needsService: true, needsDatabases: false }, terminal)
  const { plan } = loaded
  for (const note of await listUnapplied(loaded, from)) log(terminal, `${plan.name}: note: ${note}`)
  const { stdin, signal } = terminal
  const { tables, rejects } = await previewPlan(plan, { rows, table, stdin, signal })
  if (json) writeJson(terminal, { tables: tables.map(toJson), rejects })
  else
    print(
      terminal,
      tables
        .map((each) => renderRows(each, terminal.stdout.columns, colorsFor(terminal.stdout, terminal.env)))
        .join('\n\n'),
    )
  if (rejects.length > 0) log(terminal, `${rejects.length} of the lines read are rejects, the first: ${rejects[0]}`)
}

function toJson({ name, rows }: PreviewTable) {
  return { name, rows }
}
