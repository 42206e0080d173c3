import type { ReportPlan } from '../../../plan/report-plan.ts'
import { stateFolder } from '../../../engine/side-files.ts'
import { resetState, type StateReset } from '../../../engine/run/reset-state.ts'
import { CatalogueError } from '../../../errors.ts'
import { chooseLoad, nameService, type LoadChoice } from '../../../loads/state/choose-load.ts'
import { describeStale } from '../../../report/facts/load.ts'
import { type CommandGroup, defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag } from '../../parameter.ts'
import { configOptions } from '../../shared-options.ts'
import { formatChanges, row, wrapRow } from '../../render/render-report.ts'
import { print, colorsFor, log, writeJson, type Colors } from '../../terminal.ts'
import { readManifestOnce } from '../../../loads/state/state-files.ts'
import type { PublishedState } from '../../../manifest/manifest.ts'

const show = defineCommand({
  description: 'Shows until when the outputs are in sync, and what the next run would read.',
  otherNames: ['status'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: { ...configOptions, json: flag('write the state as JSON') },
  examples: ['catalogue-etl state show nightly.yaml --json'],
  async run({ config, json, ...options }, terminal) {
    const { plan, env } = await loadPlan(config, { ...options, needsService: false }, terminal)
    const {
      source,
      outputs: { stateful, configHash },
      report: { manifest },
    } = plan
    if (stateful === null) throw keepsNone(plan.name)
    const published = await readManifestOnce(plan, stateFolder(plan.report), env)
    const canAsk = source.kind === 'service'
    const service = nameService(source)
    const context = { canAsk, configHash, service, now: Date.now(), fullRefresh: false, targets: [] }
    const next = chooseLoad(stateful, published, context)
    const state = published?.state ?? null
    if (json) return writeJson(terminal, { pipeline: plan.name, manifest: manifest.path, state, next })
    print(terminal, render(plan.name, plan.report, state, next, colorsFor(terminal.stdout, terminal.env)))
  },
})

const reset = defineCommand({
  description:
    'Makes the next run read everything and start anew, histories too. The outputs stay as they are until then; databases keep their own state.',
  otherNames: ['reset'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: { ...configOptions, json: flag('write the outcome as JSON') },
  examples: ['catalogue-etl state reset nightly.yaml'],
  async run({ config, json, ...options }, terminal) {
    const { plan, env } = await loadPlan(config, { ...options, needsService: false }, terminal)
    if (plan.outputs.stateful === null) throw keepsNone(plan.name)
    const outcome = await resetState(plan, { signal: terminal.signal, env })
    log(terminal, `${plan.name}: ${describeReset(plan.report, outcome)}`)
    if (json) writeJson(terminal, { ok: true, pipeline: plan.name, manifest: plan.report.manifest.path, ...outcome })
  },
})

export const stateCommand: CommandGroup = {
  description: 'Shows or resets the state that a pipeline keeps between runs.',
  examples: ['catalogue-etl state show nightly.yaml'],
  commands: { show, reset },
}

function describeReset({ manifest }: ReportPlan, outcome: StateReset): string {
  switch (outcome.kind) {
    case 'reset':
      return 'the state is removed: the next run reads everything and starts anew'
    case 'none':
      return `there is no state in ${manifest.path}: the next run reads everything`
    case 'unlisted':
      return `the files that are there had no manifest: the next run reads everything and starts anew, and its histories replace the earlier ones`
    case 'aside':
      return `${manifest.path} could not be understood and is now ${outcome.path}: the next run reads everything`
  }
}

function keepsNone(name: string): CatalogueError {
  const message = `${name}: expected a pipeline that keeps a state (incremental, a mode other than snapshot, or a database), got none`
  return new CatalogueError('USAGE', message)
}

function render(
  name: string,
  { manifest }: ReportPlan,
  state: PublishedState | null,
  next: LoadChoice,
  colors: Colors,
): string {
  return [
    `${colors.bold(name)}  ${manifest.path}`,
    ...(state === null ? [row('state', 'none')] : renderState(state)),
    row('next', describeNext(next)),
  ].join('\n')
}

function renderState(state: PublishedState): string[] {
  const { kind, startedAt, syncedUntil, lastFullAt, changes, stale, tables, backfill } = state
  const names = [...new Set(tables.map(({ table, mode }) => `${table} (${mode})`))]
  return [
    row('last', `${kind}, began at ${startedAt}`),
    row('synced', syncedUntil === null ? 'not known until when' : `until ${syncedUntil}`),
    row('full', lastFullAt ?? 'never'),
    ...(changes === null ? [] : [row('changes', formatChanges(changes))]),
    ...(stale === undefined || stale.records === 0 ? [] : [row('stale', describeStale(stale))]),
    ...wrapRow('tables', names),
    ...(backfill === undefined
      ? []
      : [row('backfill', `from ${backfill.since} to ${backfill.until}, done to ${backfill.done}`)]),
  ]
}

function describeNext(next: LoadChoice): string {
  if (next.kind === 'delta') {
    const { since, again } = next
    return `what changed since ${since.toISOString()}${again.length === 0 ? '' : `, and ${again.length} by id`}`
  }
  return next.reason === null ? 'everything' : `everything, as ${next.reason}`
}
