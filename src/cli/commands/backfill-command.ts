import { Command } from 'commander'
import { backfillPlan } from '../../engine/run/backfill.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { withConfigOptions, withLogOption, toDurationMs } from './command-options.ts'
import { createProgress } from '../render/progress.ts'
import { formatChanges } from '../render/render-report.ts'
import { log, writeJson, type Terminal } from '../terminal.ts'

interface BackfillCommandOptions extends Omit<ConfigOptions, 'from'> {
  readonly from: string
  readonly to?: string
  readonly window: string
  readonly json?: true
  readonly quiet?: true
}

export function createBackfillCommand(terminal: Terminal): Command {
  return withLogOption(withConfigOptions(new Command('backfill')))
    .description(
      'Reads what changed in a span of time, window by window, and publishes each. Called again, it continues where it stopped.',
    )
    .argument('<config>', 'a YAML, JSON, .ts or .js file with incremental')
    .requiredOption(
      '--from <moment>',
      'a day such as 2026-01-31 in the time zone of the pipeline, a date-time, unix seconds, or -30d',
    )
    .option('--to <moment>', 'the same, included: of a day the whole day; default now')
    .option('--window <duration>', 'how much to read at a time', toSoundDuration, '7d')
    .option('--json', 'write the reports as JSON to standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl backfill nightly.yaml --from 2026-01-01 --to 2026-03-01 --window 7d',
    )
    .action((file: string, options: BackfillCommandOptions) => backfill(file, options, terminal))
}

/** As it was written, which is how an earlier call is known again. */
function toSoundDuration(text: string): string {
  toDurationMs(text)
  return text
}

async function backfill(
  config: string,
  { set, env: envFiles, out, from, to, window, json, quiet }: BackfillCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const windowMs = toDurationMs(window)
  const { plan, env } = await loadPlan(config, { set, env: envFiles, out, needsService: true }, terminal)
  const { signal } = terminal
  const progress = await createProgress(terminal, quiet === true)
  const note = (text: string) => (quiet ? undefined : log(terminal, `${plan.name}: ${text}`))
  const reports = await backfillPlan(plan, {
    from,
    to,
    window,
    windowMs,
    signal,
    env,
    onWindow: ({ since, until }, at, of) =>
      note(`window ${at} of ${of}, ${since.toISOString()} to ${until.toISOString()}`),
    onProgress: (at) => progress.show(at),
    onWarning: (message) => log(terminal, `${plan.name}: ${message}`),
  }).finally(() => progress.stop())
  const changes = reports.flatMap(({ state }) => state?.changes ?? [])
  const sum = (key: keyof (typeof changes)[number]) => changes.reduce((total, each) => total + each[key], 0)
  const total = {
    new: sum('new'),
    changed: sum('changed'),
    touched: sum('touched'),
    unchanged: sum('unchanged'),
    removed: sum('removed'),
  }
  note(
    reports.length === 0
      ? 'nothing is left to read'
      : `${reports.length} window${reports.length === 1 ? '' : 's'}: ${formatChanges(total)}`,
  )
  if (json) writeJson(terminal, { ok: true, reports })
}
