import { dirname, resolve, sep } from 'node:path'
import { addsFiles, type FilePlan } from '../../plan/outputs/file-plan.ts'
import type { LoadChoice } from './choose-load.ts'
import type { StaleState } from './stale-records.ts'
import { stateFormat } from '../../manifest/upgrade-manifest.ts'
import {
  type BackfillProgress,
  type ChangeCounts,
  type FileReport,
  type PublishedState,
  type StateFileReport,
  type StateTable,
  listBaselineFiles,
} from '../../manifest/manifest.ts'

export interface NextStateFacts {
  readonly choice: LoadChoice
  readonly stale: StaleState
  /** The source answered without any record, such as with status 204. */
  readonly isEmpty: boolean
  /** False for a run that fills in a span of time. */
  readonly advancesWatermark: boolean
  /** By the service's clock if that is known. */
  readonly startedAt: Date
  readonly service: string | null
  /** True if the next run can ask for changes since the start of this one. */
  readonly canResume: boolean
  readonly cursor: string | null
  readonly changes: ChangeCounts | null
  readonly records: StateFileReport | null
  readonly tables: readonly StateTable[]
  readonly obsoleteFiles: readonly string[]
  readonly backfill: BackfillProgress | null
}

export function toNextState(facts: NextStateFacts, before: PublishedState | null): PublishedState {
  const { choice, advancesWatermark, service, canResume, cursor, changes, records, tables, obsoleteFiles, backfill } =
    facts
  const startedAt = facts.startedAt.toISOString()
  const isFull = choice.kind === 'full'
  // A run out of turn does not read what the next one has to.
  const carried = isFull ? null : (before?.needsFull ?? null)
  const needsFull = (isFull && facts.isEmpty ? foundNothing : null) ?? carried ?? facts.stale.needsFull
  const stale = carried === null ? facts.stale.stale : (before?.stale ?? facts.stale.stale)
  const since = isFull ? null : { since: choice.since.toISOString(), until: choice.until?.toISOString() ?? null }
  return {
    format: stateFormat,
    kind: choice.kind,
    startedAt,
    lastFullAt: isFull ? startedAt : (before?.lastFullAt ?? null),
    service: advancesWatermark ? service : (before?.service ?? service),
    syncedUntil: advancesWatermark ? (canResume ? startedAt : null) : (before?.syncedUntil ?? null),
    asked: since && { field: cursor ?? '', ...since },
    changes,
    records,
    tables: [...tables],
    obsoleteFiles: [...obsoleteFiles],
    // A full read needs no backfill.
    ...(backfill !== null && !isFull && { backfill }),
    stale,
    ...(needsFull !== null && { needsFull }),
  }
}

/** Records that appear in such a catalogue later may have been updated long before. */
const foundNothing = 'the last run that read everything found no record at all'

/** Files of earlier runs: `kept` stay listed, `obsoleteFiles` are to be removed. */
export interface EarlierFiles<File> {
  readonly kept: readonly File[]
  readonly obsoleteFiles: readonly string[]
}

/**
 * Sorts the files of earlier runs. Part files of outputs that are added to stay. Other files of the plan's outputs and
 * of the state's folder are removed if the run did not rewrite them: old partitions, parts beyond the last. Nothing
 * outside the folders of the plan's outputs is ever named, whatever the manifest says, and nothing of outputs and
 * tables that the plan no longer has.
 */
export function sortEarlierFiles<File extends Pick<FileReport, 'path' | 'mode' | 'base'>>(
  published: { readonly files: readonly File[]; readonly state?: PublishedState | null | undefined } | null,
  plans: readonly FilePlan[],
  stateFolder: string,
  written: readonly string[],
): EarlierFiles<File> {
  const earlier = published?.files ?? []
  const planOf = new Map(plans.map((plan) => [resolve(plan.path), plan]))
  const isAdded = ({ base, mode }: File) => addsFiles(mode) && planOf.get(resolve(base ?? ''))?.mode === mode
  const now = new Set(written.map((path) => resolve(path)))
  const kept = earlier.filter((file) => isAdded(file) && !now.has(resolve(file.path)))
  const replaced = earlier.filter((file) => !addsFiles(file.mode) && planOf.has(resolve(file.base ?? file.path)))
  const state = published?.state ?? null
  const isInside = ({ path }: StateFileReport) => resolve(path).startsWith(resolve(stateFolder) + sep)
  const ofState = state === null ? [] : listBaselineFiles(state).filter(isInside)
  const candidates = [...replaced, ...ofState].map(({ path }) => path)
  const keptPaths = new Set(kept.map(({ path }) => resolve(path)))
  const folders = [stateFolder, ...plans.map(({ path }) => dirname(path))].map((folder) => resolve(folder) + sep)
  const isOurs = (path: string) => folders.some((folder) => resolve(path).startsWith(folder))
  const inTheWay = [...new Set([...candidates, ...(state?.obsoleteFiles ?? [])])].filter(
    (path) => !now.has(resolve(path)) && !keptPaths.has(resolve(path)) && isOurs(path),
  )
  return { kept, obsoleteFiles: inTheWay.toSorted() }
}
