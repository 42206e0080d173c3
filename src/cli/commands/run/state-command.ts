import type { ReportPlan } from '../../../plan/report-plan.ts'
import { stateFolder } from '../../../engine/side-files.ts'
import { resetState, type StateReset } from '../../../engine/run/reset-state.ts'
import { CatalogueError } from '../../../errors.ts'
import { chooseLoad, nameService, type LoadChoice } from '../../../loads/state/choose-load.ts'
import { describeStale, formatChanges } from '../../../report/facts/load.ts'
import { type CommandGroup, defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag } from '../../parameter.ts'
import { configOptions } from '../../shared-options.ts'
import { row, wrapRow } from '../../render/render-report.ts'
import { print, colorsFor, log, writeJson, type Colors } from '../../terminal.ts'
import { readManifestOnce } from '../../../loads/state/state-files.ts'
import { listBaselineFiles, type PublishedManifest, type PublishedState } from '../../../manifest/manifest.ts'
import { readPipelineLock } from '../../../engine/run/pipeline-lock.ts'
import type { LockReport } from '../../../storage/lock/wait-for-lock.ts'
import { countOf, formatCount } from '../../../text/format-count.ts'
import { formatBytes } from '../../../text/format-size.ts'
import { describeLock } from './describe-lock.ts'

const show = defineCommand({
  description: 'Shows until when the outputs are in sync, which run has the lock, and what the next run would read.',
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
    const lock = await readPipelineLock(plan, env)
    if (json) {
      const { runId = null, state = null } = published ?? {}
      return writeJson(terminal, { pipeline: plan.name, manifest: manifest.path, runId, state, next, lock })
    }
    print(terminal, render(plan.name, plan.report, { published, next, lock }, colorsFor(terminal.stdout, terminal.env)))
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

function render(name: string, { manifest }: ReportPlan, { published, next, lock }: Shown, colors: Colors): string {
  const { state = null, runId, files = [] } = published ?? {}
  return [
    `${colors.bold(name)}  ${manifest.path}`,
    ...(runId === undefined ? [] : [row('run', runId)]),
    ...(state === null ? [row('state', 'none')] : [...renderState(state), ...renderSize(state, files)]),
    row('lock', describeLock(lock)),
    row('next', describeNext(next)),
  ].join('\n')
}

interface Shown {
  readonly published: PublishedManifest | null
  readonly next: LoadChoice
  readonly lock: LockReport | null
}

/** The rows of each published table, and the files that the next run begins with. */
function renderSize(state: PublishedState, files: PublishedManifest['files']): string[] {
  const rows = new Map<string, number>()
  // Of a table in several formats any has all rows.
  const formats = new Map(files.map(({ table, format }) => [table, format]))
  for (const { table, format, rows: more } of files)
    if (formats.get(table) === format) rows.set(table, (rows.get(table) ?? 0) + more)
  const kept = listBaselineFiles(state)
  const bytes = kept.reduce((sum, file) => sum + file.bytes, 0)
  return [
    ...(rows.size === 0
      ? []
      : wrapRow(
          'rows',
          [...rows].map(([table, count]) => `${table} ${formatCount(count)}`),
        )),
    row('kept', `${countOf(kept.length, 'file')}, ${formatBytes(bytes)}, as ${state.format}`),
  ]
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
