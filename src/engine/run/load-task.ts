import type { IncrementalPlan, PipelinePlan, StatefulPlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { checkColumns } from '../../loads/state/check-columns.ts'
import { chooseLoad, type LoadChoice } from '../../loads/state/choose-load.ts'
import type { TimeWindow } from '../../loads/state/list-windows.ts'
import { checkUnlisted } from '../../loads/state/check-unlisted.ts'
import { describeMissingParts } from '../../loads/state/find-missing-parts.ts'
import type { PublishedManifest } from '../../loads/state/published-state.ts'
import { checkStateFiles, readPublishedManifest } from '../../loads/state/read-manifest.ts'
import { nameService } from '../../loads/state/name-service.ts'
import { toLoadPlan, toLoadRecords } from '../../loads/state/to-load-plan.ts'
import { readTargets } from '../outputs/database-targets.ts'
import { listLoadForms, toLoadEncoding } from '../outputs/load-writer.ts'
import { LoadOutputs } from '../outputs/load-outputs.ts'
import { stateFolder } from '../side-files.ts'
import type { RunTask } from './run-task.ts'

export interface LoadRunOptions {
  readonly limit?: number | undefined
  readonly fullRefresh?: boolean | undefined
  /** Changes of one span of time, out of turn. */
  readonly window?: TimeWindow | undefined
  readonly now?: (() => number) | undefined
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((message: string) => void) | undefined
}

/** A run that brings a load, which is compared with what earlier runs published. Throws STATE_INVALID. */
export async function toLoadRun(
  plan: PipelinePlan,
  stateful: StatefulPlan,
  storage: FileStorage,
  token: string,
  options: LoadRunOptions,
): Promise<RunTask> {
  checkLimit(plan, options)
  await storage.recover(plan.manifest.path)
  const published = await readPublishedManifest(plan.manifest.path, plan.name, storage)
  await checkUnlisted(plan, published, stateFolder(plan), storage)
  if (published?.state) {
    await checkStateFiles(plan.manifest.path, published.state, storage)
    checkColumns(plan.manifest.path, published.state, plan)
  }
  const missing = await describeMissingParts(plan, published, storage)
  for (const message of missing) options.onWarning?.(message)
  const { choice, advancesWatermark } = await choose(plan, stateful, published, options)
  const loadPlan = toLoadPlan(plan, stateful, choice)
  const forms = listLoadForms(plan, stateful)
  const encoding = toLoadEncoding(toLoadRecords(loadPlan, stateful, choice.kind), forms)
  const { signal, onWarning, window } = options
  const backfill = window === undefined ? (published?.state?.backfill ?? null) : window.progress
  const load = { choice, refresh: options.fullRefresh === true, advancesWatermark, published, forms, backfill }
  return {
    plan: loadPlan,
    encoding,
    openOutputs: (encodeGroup) =>
      LoadOutputs.open(plan, stateful, load, {
        storage,
        token,
        records: encoding.records,
        encodeGroup,
        signal,
        onWarning,
      }),
    notes: [...missing, ...noteChoice(choice, stateful.incremental)],
  }
}

async function choose(
  plan: PipelinePlan,
  stateful: StatefulPlan,
  published: PublishedManifest | null,
  { fullRefresh = false, window, now = Date.now, signal, onWarning }: LoadRunOptions,
): Promise<{ readonly choice: LoadChoice; readonly advancesWatermark: boolean }> {
  const canAsk = plan.source.kind === 'service'
  if (window === undefined) {
    const targets = await readTargets(plan, stateful, { onWarning, signal })
    const { configHash } = plan
    const choice = chooseLoad(stateful, published, {
      canAsk,
      configHash,
      service: nameService(plan.source),
      now: now(),
      fullRefresh,
      targets,
    })
    return { choice, advancesWatermark: true }
  }
  if (!canAsk || stateful.incremental === null) {
    const message = `${plan.name}: expected a pipeline with incremental over an endpoint, to read it in windows of time, got none`
    throw new CatalogueError('USAGE', message)
  }
  if (published?.state && published.configHash !== plan.configHash) {
    const message = `${plan.name}: expected the config of the last run, got another: run it once, which reads everything, before it is filled in`
    throw new CatalogueError('USAGE', message)
  }
  const service = nameService(plan.source)
  const earlier = published?.state?.service ?? service
  if (earlier !== service) {
    const message = `${plan.name}: expected the service of the last run, ${earlier}, got ${service}: run it once, which reads everything, before it is filled in`
    throw new CatalogueError('USAGE', message)
  }
  return { choice: { kind: 'delta', since: window.since, until: window.until, again: [] }, advancesWatermark: false }
}

/** The records that a sample lacks would count as removed. */
function checkLimit({ name }: PipelinePlan, { limit }: LoadRunOptions): void {
  if (limit === undefined) return
  const message = `${name}: expected no limit where records are compared with those of earlier runs, as all others would count as removed, got ${limit}`
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
