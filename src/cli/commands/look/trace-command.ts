import { trace } from '../../../inspect/trace/trace.ts'
import { exitCodes } from '../../../errors.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag } from '../../parameter.ts'
import { createProgress } from '../../progress/progress.ts'
import { listUnapplied } from '../../render/list-unapplied.ts'
import { renderTrace } from '../../render/render-trace.ts'
import { colorsFor, log, print, writeJson } from '../../terminal.ts'
import { configOptions, contractOption, fromOption } from '../../shared-options.ts'

export const traceCommand = defineCommand({
  description:
    'Finds records by id or code: file, line, the raw record, what became of it and why, and its rows. Only reads.',
  otherNames: ['find', 'search', 'where', 'grep', 'lookup', 'locate'],
  arguments: {
    config: argument('<config>', 'a YAML, JSON, .ts or .js file; or an export, which is read as `init` would write it'),
    ids: argument('<id...>', 'ids of records, as the column id has them, or codes: CNK, EAN and so on'),
  },
  options: {
    ...configOptions,
    ...fromOption,
    ...contractOption,
    rows: flag('print the rows of all tables, also of child tables'),
    raw: flag('print the whole raw line'),
    json: flag('write lines, decisions and rows as JSON'),
  },
  before: 'The exit code is 3 if no line has one of the ids or codes.',
  examples: [
    'catalogue-etl trace pipelines/products.yaml M0001',
    'catalogue-etl trace pipelines/products.yaml 4400-575',
    "catalogue-etl trace products.yaml M0001 M0002 --from 'landing/*.ndjson.gz' --json",
  ],
  async run({ config, ids, rows = false, raw = false, json, ...options }, terminal) {
    const loaded = await loadPlan(config, { ...options, needsService: false, takesExports: true }, terminal)
    const { plan, env } = loaded
    for (const note of await listUnapplied(loaded, options.from)) log(terminal, `${plan.name}: note: ${note}`)
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
  },
})
