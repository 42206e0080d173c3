import { Command } from 'commander'
import { previewPlan, type PreviewTable } from '../../engine/run/preview-plan.ts'
import type { ExportOptions } from '../config-entry.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { withConfigOptions, withContractOption, withFromOption, toCount } from './command-options.ts'
import { listUnapplied } from '../render/list-unapplied.ts'
import { renderRows } from '../render/render-rows.ts'
import { print, colorsFor, log, writeJson, type Terminal } from '../terminal.ts'

interface PreviewOptions extends ConfigOptions, ExportOptions {
  readonly rows: number
  readonly table?: string
  readonly json?: true
}

export function createPreviewCommand(terminal: Terminal): Command {
  return withContractOption(withFromOption(withConfigOptions(new Command('preview'))))
    .description('Shows the first rows of each table; writes nothing.')
    .argument('<config...>', 'a YAML, JSON, .ts or .js file; or an export, which is read as `init` would write it')
    .option('--rows <n>', 'how many rows of each table', toCount, 3)
    .option('--table <name>', 'only this table')
    .option('--json', 'write the rows as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl preview pipelines/products.yaml --table products --rows 5\n  $ catalogue-etl preview export.ndjson',
    )
    .action((files: readonly string[], options: PreviewOptions) => preview(files, options, terminal))
}

async function preview(files: readonly string[], options: PreviewOptions, terminal: Terminal): Promise<void> {
  const { from, rows, table, json } = options
  const needs = { needsService: true, needsDatabases: false, takesExports: true }
  const loaded = await loadPlan(files, { ...options, ...needs }, terminal)
  const { plan } = loaded
  for (const note of await listUnapplied(loaded, from)) log(terminal, `${plan.name}: note: ${note}`)
  const { env } = loaded
  const { stdin, signal } = terminal
  const { tables, rejects } = await previewPlan(plan, { rows, table, stdin, signal, env })
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
