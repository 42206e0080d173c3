import { Command } from 'commander'
import { rewriteReport } from '../../engine/run/rewrite-report.ts'
import { exitCodes } from '../../errors.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { row } from '../render/render-report.ts'
import { colorsFor, writeJson, type Finish, type Terminal } from '../terminal.ts'
import { withConfigOptions } from './command-options.ts'

interface ReportCommandOptions extends ConfigOptions {
  readonly json?: true
}

export function createReportCommand(terminal: Terminal, finish: Finish): Command {
  return withConfigOptions(new Command('report'))
    .description(
      'Writes the page of the last published run again, from its manifest, profile and rejects. Every run writes it, too.',
    )
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .option('--json', 'write the path of the page as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl report pipelines/products.yaml')
    .action(async (file: string, options: ReportCommandOptions) => finish(await report(file, options, terminal)))
}

async function report(file: string, options: ReportCommandOptions, terminal: Terminal): Promise<number> {
  const { plan, env } = await loadPlan(file, { ...options, needsService: false, takesExports: true }, terminal)
  const written = await rewriteReport(plan, { env, signal: terminal.signal })
  if (options.json) writeJson(terminal, { pipeline: plan.name, ...written })
  else terminal.stdout.write(renderWritten(plan.name, written, terminal))
  return exitCodes.published
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
