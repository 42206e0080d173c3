import { rewriteReport } from '../../../engine/run/rewrite-report.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag } from '../../parameter.ts'
import { row } from '../../render/render-report.ts'
import { colorsFor, writeJson, type Terminal } from '../../terminal.ts'
import { configOptions } from '../../shared-options.ts'

export const reportCommand = defineCommand({
  description:
    'Writes the page of the last published run again, from its manifest, profile and rejects. Every run writes it, too.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: { ...configOptions, json: flag('write the path of the page as JSON') },
  examples: ['catalogue-etl report pipelines/products.yaml'],
  run: rewritePage,
})

export async function rewritePage(
  {
    config,
    json,
    ...options
  }: InputOf<typeof configOptions> & { readonly config: string; readonly json?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const { plan, env } = await loadPlan(config, { ...options, needsService: false, takesExports: true }, terminal)
  const written = await rewriteReport(plan.name, plan.report, plan.outputs, { env, signal: terminal.signal })
  if (json) writeJson(terminal, { pipeline: plan.name, ...written })
  else terminal.stdout.write(renderWritten(plan.name, written, terminal))
}

function renderWritten(
  pipeline: string,
  { path, notes }: Awaited<ReturnType<typeof rewriteReport>>,
  { stdout, env }: Terminal,
): string {
  const colors = colorsFor(stdout, env)
  const lines = notes.map((note) => row('note', colors.yellow(escapeControls(note))))
  return `${[colors.bold(pipeline), ...lines, row('report', escapeControls(path))].join('\n')}\n`
}
