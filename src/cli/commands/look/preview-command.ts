import { CatalogueError } from '../../../errors.ts'
import { type Preview, previewPlan, type PreviewTable } from '../../../engine/run/preview-plan.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option, withDefault } from '../../parameter.ts'
import { asOfOption, configOptions, contractOption, fromOption, toCount } from '../../shared-options.ts'
import { listUnapplied } from '../../render/list-unapplied.ts'
import { renderRows } from '../../render/render-rows.ts'
import { print, colorsFor, log, type Terminal, writeJson } from '../../terminal.ts'

export const previewCommand = defineCommand({
  description: 'Shows the first rows of each table; writes nothing.',
  otherNames: ['show', 'head', 'sample', 'view', 'cat', 'peek'],
  arguments: {
    files: argument(
      '<config...>',
      'a YAML, JSON, .ts or .js file; or an export, which is read as `init` would write it',
    ),
  },
  options: {
    ...configOptions,
    ...fromOption,
    ...contractOption,
    ...asOfOption,
    rows: withDefault(option('<n>', 'how many rows of each table', toCount), 3),
    table: option('<name>', 'only this table'),
    json: flag('write the rows as JSON'),
  },
  examples: [
    'catalogue-etl preview pipelines/products.yaml --table products --rows 5',
    'catalogue-etl preview export.ndjson',
    'catalogue-etl preview nightly.yaml --as-of 2026-10-01',
  ],
  async run({ files, rows, table, json, asOf, ...options }, terminal) {
    checkAsOf({ asOf, ...options })
    const needs = { needsService: asOf === undefined, needsDatabases: false, takesExports: asOf === undefined }
    const loaded = await loadPlan(files, { ...options, ...needs }, terminal)
    const { plan, env } = loaded
    for (const note of await listUnapplied(loaded, options.from)) log(terminal, `${plan.name}: note: ${note}`)
    const { stdin, stdout, signal } = terminal
    const { tables, rejects } =
      asOf === undefined
        ? await previewPlan(plan, { rows, table, stdin, signal, env })
        : await previewHistory(loaded, asOf, { rows, table }, terminal)
    if (json) writeJson(terminal, { tables: tables.map(toJson), rejects })
    else {
      const colors = colorsFor(stdout, terminal.env)
      print(terminal, tables.map((each) => renderRows(each, stdout.columns, colors)).join('\n\n'))
    }
    if (rejects.length > 0) log(terminal, `${rejects.length} of the lines read are rejects, the first: ${rejects[0]}`)
  },
})

function checkAsOf({ asOf, from, contract }: { asOf?: unknown; from?: unknown; contract?: unknown }): void {
  if (asOf === undefined || (from === undefined && contract === undefined)) return
  const other = from === undefined ? '--contract' : '--from'
  throw new CatalogueError('USAGE', `expected --as-of without ${other}, as a history is read and no source`)
}

/** Loaded on demand: most previews read a source. */
async function previewHistory(
  { plan, env }: Awaited<ReturnType<typeof loadPlan>>,
  date: string,
  options: { readonly rows: number; readonly table: string | undefined },
  terminal: Terminal,
): Promise<Preview> {
  const { previewAsOf } = await import('../../../inspect/history/preview-as-of.ts')
  const { tables, notes } = await previewAsOf(plan, date, { ...options, env, signal: terminal.signal })
  for (const note of notes) log(terminal, `${plan.name}: note: ${note}`)
  return { tables, rejects: [] }
}

function toJson({ name, rows }: PreviewTable) {
  return { name, rows }
}
