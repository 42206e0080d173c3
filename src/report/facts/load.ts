import type { ChangeCounts, PublishedState } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'
import type { ReportManifest } from '../report-manifest.ts'

/**
 * True if a run read only some of the records. Its rows are not all rows of its outputs, and a record it did not read
 * may exist.
 */
export function readsPart({ state }: Pick<ReportManifest, 'state'>): boolean {
  return state?.kind === 'delta'
}

/** What a run of a pipeline with a state read, with the time of `since` if it was a delta. Null for other pipelines. */
export function describeRead({
  state,
  replayed,
}: Pick<ReportManifest, 'state' | 'replayed'>): { readonly text: string; readonly since: string | null } | null {
  if (state === undefined) return null
  if (state.asked === null) return { text: 'everything', since: null }
  if (replayed !== undefined) return { text: 'the rejects of the last run', since: null }
  return { text: 'what changed since', since: state.asked.since }
}

/** The changes of a load: to the files, with a null `target`, then to each database. */
export function listLoads({
  state,
  databases = [],
}: Pick<ReportManifest, 'state' | 'databases'>): { readonly target: string | null; readonly changes: ChangeCounts }[] {
  const files = state?.changes ? [{ target: null, changes: state.changes }] : []
  return [...files, ...databases.map(({ target, changes }) => ({ target, changes }))]
}

export function describeStale({ records, ids }: NonNullable<PublishedState['stale']>): string {
  const which =
    records === 1
      ? 'the newest version of 1 record was rejected'
      : `the newest versions of ${formatCount(records)} records were rejected`
  return `${which}: older rows stay; the next run ${ids.length > 0 ? 'requests them by id' : 'reads everything'}`
}

/** `12 new, 3 changed, 1 removed`, without zeros; `no change` if there is none. */
export function formatChanges({ new: added, changed, touched, unchanged, removed }: ChangeCounts): string {
  const counts = [
    [added, 'new'],
    [changed, 'changed'],
    [touched, 'touched only'],
    [unchanged, 'unchanged'],
    [removed, 'removed'],
  ] as const
  const parts = counts.flatMap(([count, what]) => (count > 0 ? [`${formatCount(count)} ${what}`] : []))
  return parts.length === 0 ? 'no change' : parts.join(', ')
}
