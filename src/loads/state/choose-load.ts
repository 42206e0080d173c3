import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { StatefulPlan } from '../../plan/loads/stateful-plan.ts'
import type { PublishedManifest, PublishedState } from '../../manifest/manifest.ts'

export type LoadChoice =
  /** Everything there is; `reason` says why not only changes if the source could be asked for them. */
  | { readonly kind: 'full'; readonly reason: string | null }
  /** Only the changes from `since` to `until` (null: no end), which both go into the request. */
  | {
      readonly kind: 'delta'
      readonly since: Date
      readonly until: Date | null
      /** Ids of records to ask for besides, whenever they changed. */
      readonly again: readonly string[]
    }

export interface ChoiceContext {
  /** The source can be asked for changes: it is no file. */
  readonly canAsk: boolean
  readonly configHash: string
  readonly service: string | null
  /** Milliseconds since 1970. */
  readonly now: number
  readonly fullRefresh: boolean
  /** For each database that the pipeline loads: how far it is in sync, or why it needs everything. */
  readonly targets: readonly TargetProgress[]
}

export interface TargetProgress {
  /** `postgres, schema "catalogue"` */
  readonly name: string
  /** The start of its last load, and of its last full load. */
  readonly startedAt: Date | null
  readonly lastFullAt: Date | null
  readonly syncedUntil: Date | null
  readonly needsFull: string | null
  /** The stale records of its last load, which may be missing in every manifest. */
  readonly stale?: readonly string[]
}

/** Chooses between everything and the changes since the last published run, from its start less a margin. */
export function chooseLoad(
  { incremental }: StatefulPlan,
  published: PublishedManifest | null,
  { canAsk, configHash, service, now, fullRefresh, targets }: ChoiceContext,
): LoadChoice {
  if (incremental === null || !canAsk) return { kind: 'full', reason: null }
  const state = published?.state ?? null
  if (fullRefresh) return everything('it was asked for')
  if (published === null || state === null) return everything('no run before it published a state')
  if (published.configHash !== configHash) return everything('the config is not that of the last run')
  // The records of one service are not changes of another service.
  if (state.service && service !== null && state.service !== service)
    return everything(`the last run asked ${state.service}, and this one asks ${service}`)
  if (state.syncedUntil === null) return everything('it is not known how far what is published reaches')
  if (state.needsFull) return everything(state.needsFull)
  if (state.lastFullAt === null) return everything('no run before it read everything')
  const dueAt = Date.parse(state.lastFullAt) + incremental.fullEveryMs
  if (now >= dueAt) return everything(`the last one was at ${state.lastFullAt}`)
  const target = targets.find(({ needsFull, syncedUntil }) => needsFull !== null || syncedUntil === null)
  if (target !== undefined) return everything(target.needsFull ?? 'a database has no load of it yet')
  const missed = targets.flatMap((each) => findMissedLoad(state, each) ?? [])[0]
  if (missed !== undefined) return everything(missed)
  const syncedTimes = [state.syncedUntil, ...targets.flatMap((each) => each.syncedUntil ?? [])].map((time) =>
    new Date(time).getTime(),
  )
  const since = new Date(Math.max(0, Math.min(...syncedTimes) - incremental.overlapMs))
  const again = new Set([...(state.stale?.ids ?? []), ...targets.flatMap(({ stale = [] }) => stale)])
  return { kind: 'delta', since, until: null, again: [...again] }
}

function everything(reason: string): LoadChoice {
  return { kind: 'full', reason }
}

/**
 * Says why changes since its last load don't bring a target to what the last run published: it was restored from a
 * backup, or was updated by a full read that did not reach the manifest. Changes would miss what only a full read
 * finds, such as removed records.
 */
function findMissedLoad(
  state: Pick<PublishedState, 'startedAt' | 'lastFullAt'>,
  { name, startedAt, lastFullAt }: TargetProgress,
): string | null {
  const loadedAt = startedAt?.toISOString() ?? 'no time'
  if (loadedAt < state.startedAt)
    return `the last load of ${name} is of ${loadedAt}, before the last run, of ${state.startedAt}: an older database was put in its place`
  const fullAt = lastFullAt?.toISOString() ?? null
  if (fullAt === state.lastFullAt) return null
  return `everything was last read at ${fullAt ?? 'no time'} for ${name}, and at ${state.lastFullAt} for what the manifest lists`
}

/**
 * Host and path of the service that a source asks, which differ between environments. Null for files, and if the
 * address is not known.
 */
export function nameService(source: SourcePlan): string | null {
  if (source.kind === 'files' || source.baseUrl === null) return null
  const { hostname, pathname } = new URL(source.baseUrl)
  return hostname + pathname.replace(/\/+$/, '')
}
