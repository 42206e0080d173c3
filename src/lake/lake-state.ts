import { z } from 'zod'
import type { CommittedLoad, DatabaseLoad } from '../loads/databases/database-output.ts'
import { type LakeOutputPlan, stateProperty } from './lake-plan.ts'
import type { TableSnapshot } from './lake-format.ts'

const dateTime = z.iso.datetime().transform((text) => new Date(text))

/** The last load into a lake, in the metadata of the state's table: what the lake holds, whatever came after it. */
const lakeState = z.object({
  format: z.literal(1),
  /** The number of the load, which its transactions have as their version. */
  load: z.int(),
  runId: z.string(),
  kind: z.enum(['full', 'delta']),
  mode: z.enum(['snapshot', 'append', 'merge', 'history']),
  startedAt: dateTime,
  syncedUntil: dateTime.nullable(),
  lastFullAt: dateTime.nullable(),
  configHash: z.string(),
  stale: z.object({ ids: z.array(z.string()), needsFull: z.string().nullable() }).nullable(),
  /** By name, also those that the config no longer has. */
  tables: z.record(
    z.string(),
    z.object({ id: z.string(), version: z.int(), rows: z.int().nullable(), isLeft: z.literal(true).optional() }),
  ),
})

export type LakeState = Readonly<z.output<typeof lakeState>> & CommittedLoad

/** Null if it can't be understood. */
export function parseLakeState({ properties }: Pick<TableSnapshot, 'properties'>): LakeState | null {
  const written = properties[stateProperty]
  if (typeof written !== 'string') return null
  try {
    return lakeState.parse(JSON.parse(written))
  } catch {
    return null
  }
}

export function formatLakeState(state: LakeState): string {
  return JSON.stringify(state)
}

/** The state after a load, but for its tables. */
export function toNextState(
  plan: Pick<LakeOutputPlan, 'mode'>,
  load: DatabaseLoad,
  last: LakeState | null,
): Omit<LakeState, 'tables'> {
  const { runId, kind, startedAt, configHash, stale = null } = load
  return {
    format: 1,
    load: (last?.load ?? 0) + 1,
    runId,
    kind,
    mode: plan.mode,
    startedAt,
    // A load that fills in earlier time claims no more than before.
    syncedUntil: load.syncedUntil ?? last?.syncedUntil ?? null,
    lastFullAt: kind === 'full' ? startedAt : (last?.lastFullAt ?? null),
    configHash,
    stale: stale && { ids: [...stale.ids], needsFull: stale.needsFull },
  }
}
