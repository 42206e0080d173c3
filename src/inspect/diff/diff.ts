import { resolve } from 'node:path'
import type { ContractName } from '../../contracts/contracts.ts'
import { CatalogueError, interrupted } from '../../errors.ts'
import { withObjects } from '../../storage/s3/with-objects.ts'
import type { FieldSelection } from './choose-fields.ts'
import { diffExports, type DiffExportsOptions } from './diff-exports.ts'
import type { DiffReport } from './diff-report.ts'
import { toFileFormat } from '../target-format.ts'
import { type DifferenceFile, openDifferenceFile } from './difference-file.ts'
import type { ProfiledPlan } from '../profile/published-tables.ts'
import type { ReadOptions } from './read-side.ts'
import { type AsOf, readAsOf } from '../history/as-of.ts'
import { type AnySide, type HistorySide, type LineSide, recognizeSide } from './recognize-side.ts'
import { diffRuns } from './runs/diff-runs.ts'

export interface DiffOptions extends FieldSelection, ReadOptions {
  readonly contract?: ContractName | undefined
  readonly to?: string | undefined
  /** Values of the record that come beside each difference in the file `to`. */
  readonly with?: readonly string[] | undefined
  /** Plans of the sides that are configs, by their paths. */
  readonly plans?: ReadonlyMap<string, ProfiledPlan> | undefined
  readonly onWarning: (message: string) => void
}

/**
 * Compares two exports, landings, published runs, configs or tables of lakes. Writes only the file `to`, which appears once it is complete.
 * Throws USAGE if they can't be compared, INTERRUPTED when the signal aborts, and errors of reading.
 */
export async function diff(oldPath: string, newPath: string, options: DiffOptions): Promise<DiffReport> {
  return endInterrupted(newPath, options, () => compareInto(oldPath, newPath, options))
}

async function endInterrupted<Result>(
  path: string,
  { signal }: Pick<DiffOptions, 'signal'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!signal.aborted) throw error
    throw interrupted(`${path}: the comparison`, { cause: error })
  }
}

/** Compares a history with itself at two dates, the later one by default now. Throws as `diff` and `openAsOf`. */
export async function diffHistory(
  { path, plan }: Pick<HistorySide, 'path' | 'plan'>,
  dates: { readonly asOf: string; readonly and: string | undefined },
  asked: DiffOptions,
): Promise<DiffReport> {
  const options = checkFile(asked)
  const { timezone } = plan.records
  const since = readAsOf(dates.asOf, timezone)
  const until = dates.and === undefined ? untilNow(since) : readAsOf(dates.and, timezone, '--and')
  const [old, next] = [since, until].map((asOf): HistorySide => {
    return { kind: 'history', path: `${path} as of ${asOf.written}`, files: [], plan, asOf }
  })
  return endInterrupted(path, options, () => writeCompared(old as HistorySide, next as HistorySide, options))
}

/** Now; if a day was given that is not over yet, its end, which `since` means. */
function untilNow(since: AsOf): AsOf {
  const now = Date.now()
  return { at: since.from <= now ? Math.max(now, since.at) : now, from: now, written: new Date(now).toISOString() }
}

async function compareInto(oldPath: string, newPath: string, asked: DiffOptions): Promise<DiffReport> {
  const options = checkFile(asked)
  const [old, next] = await withObjects(options.env, async (objects) => {
    const recognize = async (path: string): Promise<AnySide> => {
      const plan = options.plans?.get(path)
      if (plan !== undefined) return { kind: 'plan', path, files: [], plan }
      return recognizeSide(path, options.contract, objects)
    }
    return [await recognize(oldPath), await recognize(newPath)] as const
  })
  if (oldPath === newPath || resolve(oldPath) === resolve(newPath))
    options.onWarning(`${newPath}: compared with itself`)
  return writeCompared(old, next, options)
}

/** Throws USAGE for options of a file that is not asked for, or of no known kind. */
function checkFile({ to, with: given, ...options }: DiffOptions): DiffOptions {
  if (to !== undefined) toFileFormat(to)
  else if (given !== undefined)
    throw new CatalogueError('USAGE', '--with: expected a file for the differences, got none', {
      fix: 'Name one, such as `--to changes.xlsx`.',
    })
  // The id comes with each difference anyway.
  return { ...options, to, with: given && [...new Set(given)].filter((path) => path !== 'id') }
}

async function writeCompared(old: AnySide, next: AnySide, options: DiffOptions): Promise<DiffReport> {
  const { to } = options
  if (to === undefined) return compare(old, next, null, options)
  const file = await openDifferenceFile(to, [...old.files, ...next.files])
  try {
    const report = await compare(old, next, file, options)
    await file.finish()
    return { ...report, to: { path: to, rows: file.rows } }
  } catch (error) {
    await file.discard()
    throw error
  }
}

async function compare(
  old: AnySide,
  next: AnySide,
  file: DifferenceFile | null,
  options: DiffOptions,
): Promise<DiffReport> {
  const report = await compareSides(old, next, { ...options, file })
  const doubt = describeOrder(report)
  if (doubt !== null) options.onWarning(doubt)
  return report
}

async function compareSides(old: AnySide, next: AnySide, options: DiffExportsOptions): Promise<DiffReport> {
  if (hasLines(old) && hasLines(next)) return diffExports(old, next, options)
  if (!hasLines(old) && !hasLines(next)) return diffRuns(old, next, options)
  const [other, run] = hasLines(old) ? [old, next] : [next, old]
  const message = `${run.path}: expected a run beside a run, got it beside ${other.path}, an export or a landing`
  throw new CatalogueError('USAGE', message, { fix: 'Compare the exports or landings that the run was made from.' })
}

function hasLines(side: AnySide): side is LineSide {
  return side.kind === 'export' || side.kind === 'landing'
}

/** A warning if the old side is more recent than the new one. */
function describeOrder({ old, new: next }: DiffReport): string | null {
  if (old.time === null || next.time === null || old.time <= next.time) return null
  if (old.kind === 'history') return `${old.path}: later than ${next.path}: are the dates swapped?`
  return `${old.path}: ${old.kind === 'run' ? 'published' : 'fetched'} after ${next.path}: are old and new swapped?`
}
