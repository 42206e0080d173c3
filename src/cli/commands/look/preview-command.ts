import { previewPlan, type PreviewTable } from '../../../engine/run/preview-plan.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option, withDefault } from '../../parameter.ts'
import { configOptions, contractOption, fromOption, toCount } from '../../shared-options.ts'
import { listUnapplied } from '../../render/list-unapplied.ts'
import { renderRows } from '../../render/render-rows.ts'
import { print, colorsFor, log, writeJson } from '../../terminal.ts'

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
    rows: withDefault(option('<n>', 'how many rows of each table', toCount), 3),
    table: option('<name>', 'only this table'),
    json: flag('write the rows as JSON'),
  },
  examples: [
    'catalogue-etl preview pipelines/products.yaml --table products --rows 5',
    'catalogue-etl preview export.ndjson',
  ],
  async run({ files, rows, table, json, ...options }, terminal) {
    const needs = { needsService: true, needsDatabases: false, takesExports: true }
    const loaded = await loadPlan(files, { ...options, ...needs }, terminal)
    const { plan, env } = loaded
    for (const note of await listUnapplied(loaded, options.from)) log(terminal, `${plan.name}: note: ${note}`)
    const { stdin, stdout, signal } = terminal
    const { tables, rejects } = await previewPlan(plan, { rows, table, stdin, signal, env })
    if (json) writeJson(terminal, { tables: tables.map(toJson), rejects })
    else {
      const colors = colorsFor(stdout, terminal.env)
      print(terminal, tables.map((each) => renderRows(each, stdout.columns, colors)).join('\n\n'))
    }
    if (rejects.length > 0) log(terminal, `${rejects.length} of the lines read are rejects, the first: ${rejects[0]}`)
  },
})

function toJson({ name, rows }: PreviewTable) {
  return { name, rows }
}
