import { backfillPlan } from '../../../engine/run/backfill.ts'
import type { Manifest } from '../../../manifest/manifest.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option, required, withDefault } from '../../parameter.ts'
import { configOptions, logOption, quietOption, toDurationMs } from '../../shared-options.ts'
import { createProgress } from '../../progress/progress.ts'
import { formatChanges } from '../../../report/facts/load.ts'
import { log, writeJson } from '../../terminal.ts'

export const backfillCommand = defineCommand({
  description:
    'Reads what changed in a span of time: window by window, and publishes each. Called again, it continues where it stopped.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file with incremental') },
  options: {
    ...configOptions,
    ...logOption,
    from: required(
      option(
        '<moment>',
        'a day such as 2026-01-31 in the time zone of the pipeline, a date-time, unix seconds, or -30d',
      ),
    ),
    until: option('<moment>', 'the same, included: of a day the whole day; default now'),
    to: { ...option('<moment>', 'the former name of --until'), isHidden: true },
    window: withDefault(option('<duration>', 'how much to read at a time', toSoundDuration), '7d'),
    json: flag('write the reports as JSON to standard output'),
    ...quietOption,
  },
  examples: ['catalogue-etl backfill nightly.yaml --from 2026-01-01 --until 2026-03-01 --window 7d'],
  async run({ config, json, quiet, ...input }, terminal) {
    const windowMs = toDurationMs(input.window)
    const { plan, env } = await loadPlan(config, { ...input, from: undefined, needsService: true }, terminal)
    const { signal } = terminal
    const progress = await createProgress(terminal, quiet === true)
    const note = (text: string) => (quiet ? undefined : log(terminal, `${plan.name}: ${text}`))
    const reports = await backfillPlan(plan, {
      ...input,
      until: input.until ?? input.to,
      windowMs,
      signal,
      env,
      onWindow: ({ since, until }, at, of) =>
        note(`window ${at} of ${of}, ${since.toISOString()} to ${until.toISOString()}`),
      onProgress: (at) => progress.show(at),
      onWarning: (message) => log(terminal, `${plan.name}: ${message}`),
    }).finally(() => progress.stop())
    note(reports.length === 0 ? 'nothing is left to read' : describeWindows(reports))
    if (json) writeJson(terminal, { ok: true, reports })
  },
})

/** Checks the duration and returns it as typed: an earlier call is recognized by the text. */
function toSoundDuration(text: string): string {
  toDurationMs(text)
  return text
}

function describeWindows(reports: readonly Manifest[]): string {
  const changes = reports.flatMap(({ state }) => state?.changes ?? [])
  const sum = (key: keyof (typeof changes)[number]) => changes.reduce((total, each) => total + each[key], 0)
  const total = {
    new: sum('new'),
    changed: sum('changed'),
    touched: sum('touched'),
    unchanged: sum('unchanged'),
    removed: sum('removed'),
  }
  return `${reports.length} window${reports.length === 1 ? '' : 's'}: ${formatChanges(total)}`
}
