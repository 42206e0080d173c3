import { orOne } from '../../plan/count-limit.ts'
import type { IncrementalPlan, StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { nameDatabase } from '../../plan/outputs/database-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { readTarget } from '../../lake/open-target.ts'
import type { RunContext } from '../../run-context.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { checkColumns } from '../../loads/state/check-columns.ts'
import { checkModes } from '../../loads/state/check-modes.ts'
import { chooseLoad, nameService, type LoadChoice, type TargetProgress } from '../../loads/state/choose-load.ts'
import type { TimeWindow } from '../../loads/state/list-windows.ts'
import { checkUnlisted } from '../../loads/state/check-unlisted.ts'
import { describeMissingParts } from '../../loads/state/published-parts.ts'
import { sortTables } from '../../loads/state/sort-tables.ts'
import { toLoadPlan, toLoadRecords } from '../../loads/state/to-load-plan.ts'
import type { StagingOptions } from '../outputs/outputs.ts'
import { toOutputPlan } from '../outputs/database-targets.ts'
import { listLoadForms, toLoadEncoding } from '../outputs/load-writer.ts'
import { LoadOutputs } from '../outputs/load-outputs.ts'
import { stateFolder } from '../side-files.ts'
import { toProfiledEncoding, type RunTask } from './run-task.ts'
import { checkStateFiles } from '../../loads/state/state-files.ts'
import { readManifest } from '../../manifest/read-manifest.ts'
import type { PublishedManifest } from '../../manifest/manifest.ts'

export interface LoadRunOptions extends Pick<RunContext, 'now' | 'signal' | 'onWarning' | 'env'> {
  readonly limit?: number | undefined
  readonly fullRefresh?: boolean | undefined
  readonly prune?: boolean | undefined
  readonly window?: TimeWindow | undefined
  readonly isReplay?: boolean | undefined
}

/** Plans a run that loads what it reads and compares it with earlier runs. Throws STATE_INVALID. */
export async function toLoadRun(
  plan: PipelinePlan,
  stateful: StatefulPlan,
  staging: StagingOptions,
  options: LoadRunOptions,
): Promise<RunTask> {
  const { storage } = staging
  const {
    report: { manifest },
  } = plan
  const { window, isReplay = false, prune = false, signal, onWarning, env } = options
  checkLimit(plan.name, options)
  const published = await readSorted(plan, storage)
  await checkUnlisted(manifest.path, plan.records, plan.outputs, published, stateFolder(plan.report), storage)
  if (published?.state) {
    await checkStateFiles(manifest.path, published.state, storage)
    checkColumns(manifest.path, published.state, plan.records)
  }
  const missing = await describeMissingParts(plan.outputs, published, storage)
  for (const message of missing) onWarning?.(message)
  const choice = isReplay
    ? chooseReplay(plan, published)
    : window === undefined
      ? await chooseNext(plan, stateful, published, options)
      : chooseWindow(plan, stateful, published, window)
  const loadPlan = toLoadPlan(plan, stateful, choice)
  const forms = listLoadForms(plan.outputs, stateful)
  const encoding = toLoadEncoding(toLoadRecords(loadPlan.records, stateful, choice.kind), forms)
  const { records } = encoding
  const backfill = window === undefined ? (published?.state?.backfill ?? null) : window.progress
  const load = {
    choice,
    advancesWatermark: window === undefined && !isReplay,
    published,
    backfill,
  }
  const rules = loadPlan.limits.rules.map((rule) => ({ ...rule, isPartOfAll: choice.kind === 'delta' }))
  const rejects = choice.kind === 'delta' ? orOne(plan.limits.rejects) : loadPlan.limits.rejects
  return {
    plan: { ...loadPlan, limits: { ...loadPlan.limits, rules, rejects } },
    encoding: toProfiledEncoding(encoding, plan),
    openOutputs: (encodeGroup) =>
      LoadOutputs.open(plan, stateful, load, {
        ...staging,
        forms,
        records,
        encodeGroup,
        signal,
        onWarning,
        env,
        prune,
      }),
    isDelta: choice.kind === 'delta',
    notes: [...missing, ...(isReplay ? [] : noteChoice(choice, stateful.incremental))],
  }
}

/**
 * Reads the manifest of the last run. Throws STATE_INVALID, or TARGET_MISMATCH if an output would replace one of
 * another mode.
 */
async function readSorted(plan: PipelinePlan, storage: FileStorage): Promise<PublishedManifest | null> {
  const published = await readManifest(plan.report.manifest.path, { own: plan.name }, storage)
  if (published === null) return null
  const { files, leftFiles: left = [], state } = published
  await checkModes(plan.records, plan.outputs, { files, left, isReset: state === null }, storage)
  return state ? { ...published, state: await sortTables(plan.records, plan.outputs, state, storage) } : published
}

async function chooseNext(
  plan: PipelinePlan,
  stateful: StatefulPlan,
  published: PublishedManifest | null,
  { fullRefresh = false, now = Date.now, signal, onWarning, env }: LoadRunOptions,
): Promise<LoadChoice> {
  const {
    source,
    outputs: { configHash },
  } = plan
  const targets = await readTargets(plan.name, plan.outputs, stateful, { onWarning, signal, env })
  const canAsk = source.kind === 'service'
  const service = nameService(source)
  return chooseLoad(stateful, published, { canAsk, configHash, service, now: now(), fullRefresh, targets })
}

/** Chooses a span of time to fill in. Throws USAGE if earlier runs read something else. */
function chooseWindow(
  { name, source, outputs: { configHash } }: PipelinePlan,
  { incremental }: StatefulPlan,
  published: PublishedManifest | null,
  { since, until }: TimeWindow,
): LoadChoice {
  if (source.kind !== 'service' || incremental === null) {
    const message = `${name}: only a pipeline with incremental over an endpoint can be backfilled`
    throw new CatalogueError('USAGE', message)
  }
  if (published?.state && published.configHash !== configHash) {
    const message = `${name}: the config has changed since the last run. Run the pipeline once, which reads everything, before a backfill`
    throw new CatalogueError('USAGE', message)
  }
  const service = nameService(source)
  const earlier = published?.state?.service ?? service
  if (earlier !== service) {
    const message = `${name}: the last run read from ${earlier}, this config says ${service}. Run the pipeline once, which reads everything, before a backfill`
    throw new CatalogueError('USAGE', message)
  }
  return { kind: 'delta', since, until, again: [] }
}

/**
 * Chooses corrected rejects as a delta on the published records. Throws USAGE if the outputs are from another config or
 * service.
 */
function chooseReplay(
  { name, source, outputs: { configHash } }: PipelinePlan,
  published: PublishedManifest | null,
): LoadChoice {
  const state = published?.state ?? null
  const fix = 'Run the pipeline once, which reads everything, and replay the rejects of that run.'
  if (state === null)
    throw new CatalogueError('USAGE', `${name}: nothing is published that corrected records could be added to`, { fix })
  if (published?.configHash !== configHash)
    throw new CatalogueError('USAGE', `${name}: the config has changed since the last run`, { fix })
  const service = nameService(source)
  if (state.service && service !== null && state.service !== service)
    throw new CatalogueError('USAGE', `${name}: the last run read from ${state.service}, this config says ${service}`, {
      fix,
    })
  const since = new Date(state.startedAt)
  return { kind: 'delta', since, until: since, again: [] }
}

async function readTargets(
  name: string,
  { configHash, s3 }: OutputsPlan,
  { databases, tables }: StatefulPlan,
  options: Pick<RunContext, 'onWarning' | 'signal' | 'env'>,
): Promise<TargetProgress[]> {
  const targets: TargetProgress[] = []
  for (const database of databases) {
    const plan = toOutputPlan(name, tables, database)
    const { last, needsFull } = await readTarget(plan, configHash, { ...options, settings: s3 })
    const target = nameDatabase(database)
    const reason = needsFull === null ? null : `${needsFull} (${target})`
    const stale = last?.stale ?? null
    targets.push({
      name: target,
      startedAt: last?.startedAt ?? null,
      lastFullAt: last?.lastFullAt ?? null,
      syncedUntil: last?.syncedUntil ?? null,
      needsFull: reason ?? stale?.needsFull ?? null,
      stale: stale?.ids ?? [],
    })
  }
  return targets
}

/** Refuses a limit, as records outside the sample would count as removed. */
function checkLimit(name: string, { limit }: LoadRunOptions): void {
  if (limit === undefined) return
  const message = `${name}: a limit (${limit}) can't be combined with outputs that keep a state, as records outside the sample would count as removed`
  throw new CatalogueError('USAGE', message)
}

function noteChoice(choice: LoadChoice, incremental: IncrementalPlan | null): string[] {
  if (choice.kind === 'delta') {
    const { since, again } = choice
    const asked = again.length === 0 ? '' : `, and ${again.length} that were rejected before`
    return [`what changed since ${since.toISOString()} was read${asked}`]
  }
  return incremental === null || choice.reason === null ? [] : [`everything was read, as ${choice.reason}`]
}
