import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { type DateTime, dateTime, toLastUnixSecond, toUnixSeconds } from '../../service/endpoints/date-time.ts'
import { listWindows, type TimeWindow } from '../../loads/state/list-windows.ts'
import { stateFolder } from '../side-files.ts'
import { runPlan, type RunOptions } from './run-pipeline.ts'
import { readManifestOnce } from '../../loads/state/state-files.ts'
import type { Manifest } from '../../manifest/manifest.ts'

export interface BackfillOptions extends Omit<RunOptions, 'window' | 'fullRefresh' | 'limit' | 'run'> {
  /**
   * Date-times as in filters: a day in the pipeline's time zone, a date-time, Unix seconds, or `-30d`. `until` defaults
   * to now.
   */
  readonly from: string
  readonly until?: string | undefined
  /** Length of the span that is read and published at a time, as written and in milliseconds. */
  readonly window: string
  readonly windowMs: number
  /** Called before each window, with its number and the number of windows. */
  readonly onWindow?: ((window: TimeWindow, at: number, of: number) => void) | undefined
}

/**
 * Reads the changes of a span of time, window by window. Each window is a run that publishes. After a failure or stop,
 * the same call continues after the last published window. The next ordinary run is not affected.
 */
export async function backfillPlan(plan: PipelinePlan, options: BackfillOptions): Promise<Manifest[]> {
  if (plan.outputs.stateful === null) {
    const message = `${plan.name}: this pipeline replaces its outputs in every run; only a pipeline with incremental can be backfilled`
    throw new CatalogueError('USAGE', message)
  }
  const { from, until: to = '', window, windowMs, onWindow, now = Date.now, ...runOptions } = options
  const instant = new Date(now())
  const clock = { now: instant, timezone: plan.records.timezone }
  const since = toDate(toUnixSeconds(readDateTime(plan.name, 'from', from), clock))
  const until = to === '' ? instant : toDate(toLastUnixSecond(readDateTime(plan.name, 'until', to), clock))
  if (since >= until) {
    const message = `${plan.name}: expected --from before --until, got ${since.toISOString()} and ${until.toISOString()}`
    throw new CatalogueError('USAGE', message)
  }
  checkCount(plan.name, until.getTime() - since.getTime(), windowMs)
  const published = await readManifestOnce(plan, stateFolder(plan.report), options.env ?? process.env)
  const span = { from, to, window, windowMs, since: since.toISOString(), until: until.toISOString() }
  const windows = listWindows(span, published?.state?.backfill ?? null)
  const reports: Manifest[] = []
  for (const [at, each] of windows.entries()) {
    onWindow?.(each, at + 1, windows.length)
    reports.push(await runPlan(plan, { ...runOptions, now, window: each }))
  }
  return reports
}

function checkCount(name: string, spanMs: number, windowMs: number): void {
  const count = Math.ceil(spanMs / windowMs)
  if (windowMs > 0 && count <= mostWindows) return
  throw new CatalogueError('USAGE', `${name}: expected at most ${mostWindows} windows, got ${count}: take longer ones`)
}

const mostWindows = 10_000

function toDate(seconds: number): Date {
  return new Date(seconds * 1000)
}

function readDateTime(name: string, option: string, text: string): DateTime {
  const { data, error } = dateTime().safeParse(text)
  if (data !== undefined) return data
  throw new CatalogueError('USAGE', `${name}: --${option}: ${error.issues[0]?.message}`)
}
