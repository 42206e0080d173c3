import type { ChangeCounts, PublishedState } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'
import type { ReportManifest } from '../report-manifest.ts'

/** True if a run read a part of the records: its rows are not those of its outputs, and what did not come is not missing. */
export function readsPart({ state }: Pick<ReportManifest, 'state'>): boolean {
  return state?.kind === 'delta'
}

/** What a run of a pipeline with a state read: `what changed since` the time of `since`. Null for other pipelines. */
export function describeRead({
  state,
  replayed,
}: Pick<ReportManifest, 'state' | 'replayed'>): { readonly text: string; readonly since: string | null } | null {
  if (state === undefined) return null
  if (state.asked === null) return { text: 'everything', since: null }
  if (replayed !== undefined) return { text: 'the rejects of the last run', since: null }
  return { text: 'what changed since', since: state.asked.since }
}

/** The changes that a load made to the files, of which `target` is null, then those to each database. */
export function listLoads({
  state,
  databases = [],
}: Pick<ReportManifest, 'state' | 'databases'>): { readonly target: string | null; readonly changes: ChangeCounts }[] {
  const files = state?.changes ? [{ target: null, changes: state.changes }] : []
  return [...files, ...databases.map(({ target, changes }) => ({ target, changes }))]
}

/** Records whose last version was rejected, and how the next run gets them. */
export function describeStale({ records, ids }: NonNullable<PublishedState['stale']>): string {
  const which =
    records === 1
      ? 'the newest version of 1 record was rejected'
      : `the newest versions of ${formatCount(records)} records were rejected`
  return `${which}: older rows stay; the next run ${ids.length > 0 ? 'requests them by id' : 'reads everything'}`
}
