import { Command } from 'commander'
import { trace } from '../../engine/trace/trace.ts'
import { exitCodes } from '../../errors.ts'
import type { ExportOptions } from '../config-entry.ts'
import { type ConfigOptions, loadPlan } from '../load-pipelines.ts'
import { createProgress } from '../render/progress.ts'
import { listUnapplied } from '../render/list-unapplied.ts'
import { renderTrace } from '../render/render-trace.ts'
import { colorsFor, type Finish, log, print, type Terminal, writeJson } from '../terminal.ts'
import { withConfigOptions, withContractOption, withFromOption } from './command-options.ts'

interface TraceCommandOptions extends ConfigOptions, ExportOptions {
  readonly raw?: true
  readonly rows?: true
  readonly json?: true
}

export function createTraceCommand(terminal: Terminal, finish: Finish): Command {
  return withContractOption(withFromOption(withConfigOptions(new Command('trace'))))
    .description(
      'Finds records by id: file, line, the raw record, what became of it and why, and its rows. Only reads.',
    )
    .argument('<config>', 'a YAML, JSON, .ts or .js file; or an export, which is read as `init` would write it')
    .argument('<id...>', 'ids of records, as the column id has them; child tables have them as well')
    .option('--rows', 'print the rows of all tables, also of child tables')
    .option('--raw', 'print the whole raw line')
    .option('--json', 'write lines, decisions and rows as JSON')
    .addHelpText('after', traceHelp)
    .action(async (file: string, ids: readonly string[], options: TraceCommandOptions) =>
      finish(await showTrace(file, ids, options, terminal)),
    )
}

const traceHelp = `
The exit code is 3 where no line has one of the ids.

Example:
  $ catalogue-etl trace pipelines/products.yaml M0001
  $ catalogue-etl trace products.yaml M0001 M0002 --from 'landing/*.ndjson.gz' --json`

async function showTrace(
  file: string,
  ids: readonly string[],
  options: TraceCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { from, raw = false, rows = false, json } = options
  const needs = { needsService: false, takesExports: true }
  const loaded = await loadPlan(file, { ...options, ...needs }, terminal)
  const { plan, env } = loaded
  for (const note of await listUnapplied(loaded, from)) log(terminal, `${plan.name}: note: ${note}`)
  const { stdin, stdout, signal } = terminal
  const progress = await createProgress(terminal, false)
  const report = await trace(plan, ids, {
    stdin,
    env,
    signal,
    onProgress: (at) => progress.show(at),
  }).finally(() => progress.stop())
  if (json) writeJson(terminal, report)
  else {
    const style = { colors: colorsFor(stdout, terminal.env), width: stdout.columns, raw, rows }
    print(terminal, renderTrace(report, style))
  }
  return report.ids.some(({ lines }) => lines.length === 0) ? exitCodes.tooManyRejects : exitCodes.published
}
