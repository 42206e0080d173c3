import { lakeStateName } from '../../plan/outputs/database-plan.ts'
import type { LakePlace } from '../lake-plan.ts'
import { parseLakeState } from '../lake-state.ts'
import { type ReadOptions, withReading } from './with-reading.ts'

/** A version of a table that a load left. */
export interface LoadedVersion {
  readonly version: number
  /** When the load began. */
  readonly startedAt: Date
}

/** The versions of a table around a moment, by the loads that left them. */
export interface FoundVersions {
  /** What the last load left that began by then; null if the state knows none. */
  readonly current: LoadedVersion | null
  /** Those of later loads, from the last one back. */
  readonly later: readonly LoadedVersion[]
  /** Whether the last of `later` is of the first load of the table. */
  readonly isFromStart: boolean
}

/**
 * Finds the version of a table at a moment, in milliseconds, by the versions of the pipeline's state: so tables are of one run, and what
 * others wrote between two loads, or killed runs left, is none.
 */
export function findVersions(
  { target, pipeline }: { readonly target: LakePlace; readonly pipeline: string },
  table: string,
  at: number,
  options: ReadOptions,
): Promise<FoundVersions> {
  return withReading(target, 'state', options, async (session) => {
    const later: LoadedVersion[] = []
    let isFromStart = false
    const state = await session.format.findFolder({ target }, lakeStateName(pipeline))
    for await (const properties of session.format.readProperties(session, state)) {
      const load = parseLakeState({ properties })
      if (load === null) continue
      const known = load.tables[table]
      if (known === undefined) return { current: null, later, isFromStart: true }
      const found = { version: known.version, startedAt: load.startedAt }
      if (load.startedAt.getTime() <= at) return { current: found, later, isFromStart: false }
      later.push(found)
      isFromStart = load.load === 1
    }
    return { current: null, later, isFromStart }
  })
}
