import type { CountLimit } from '../../plan/pipeline-plan.ts'
import { checkRemovals } from './check-removals.ts'
import type { Duckdb } from '../files/open-duckdb.ts'
import type { ChangeCounts, Load, RemovedRecord } from '../merge-result.ts'
import { formatParquetFiles } from '../files/sql-text.ts'

/** What a load means for a record. */
export type Change = keyof ChangeCounts

/** Those of the records in a load. */
export const loadedChanges = ['new', 'changed', 'touched', 'unchanged'] as const

/**
 * Makes the table `changes` of what the load means for each record in it, and, where it is full, for those that it
 * lacks: `id`, `change`, `valid_from` of the record's latest version (with this load) and `removed_at`, both in
 * milliseconds.
 *
 * A version begins when its record was updated. Where that is unknown, or not behind what came before, it begins with
 * the run; one millisecond behind what came before, should the clocks disagree that much.
 */
export async function createChanges(duckdb: Duckdb, load: Load, records: string | null): Promise<void> {
  const start = load.startedAt.getTime()
  const state = records === null ? emptyState : formatParquetFiles([records])
  await duckdb.run(`CREATE TABLE changes AS
    WITH loaded AS (SELECT id, content_hash, epoch_ms(updated_at) AS updated_at FROM ${formatParquetFiles([load.records])}),
    load AS (FROM loaded WHERE content_hash <> ''),
    state AS (
      SELECT id, content_hash, epoch_ms(updated_at) AS updated_at, epoch_ms(valid_from) AS valid_from,
        epoch_ms(removed_at) AS removed_at
      FROM ${state}
    ),
    judged AS (
      SELECT load.id, CASE
          WHEN state.id IS NULL OR state.removed_at IS NOT NULL THEN 'new'
          WHEN state.content_hash <> load.content_hash THEN 'changed'
          WHEN state.updated_at IS DISTINCT FROM load.updated_at THEN 'touched'
          ELSE 'unchanged'
        END AS change, load.updated_at, state.valid_from, greatest(state.valid_from, state.removed_at) AS before
      FROM state RIGHT JOIN load ON state.id = load.id
    )
    SELECT id, change, CASE
        WHEN change IN ('touched', 'unchanged') THEN valid_from
        WHEN updated_at > before OR before IS NULL THEN coalesce(updated_at, ${start})
        ELSE greatest(${start}, before + 1)
      END AS valid_from, NULL::BIGINT AS removed_at
    FROM judged
    ${removedOnes(start, load.kind)}`)
  await requireEachOnce(duckdb, load)
}

/** How many there are of each, and the first of the removed ones. Throws REMOVED_TOO_MANY where it removes too many. */
export async function readChanges(
  duckdb: Duckdb,
  records: string | null,
  maxRemoved: CountLimit,
): Promise<{ readonly changes: ChangeCounts; readonly removedRecords: readonly RemovedRecord[] }> {
  const found = await duckdb.readAll('SELECT change, count(*)::INTEGER FROM changes GROUP BY change')
  const counts = new Map(found as [Change, number][])
  const count = (change: Change): number => counts.get(change) ?? 0
  const changes = {
    new: count('new'),
    changed: count('changed'),
    touched: count('touched'),
    unchanged: count('unchanged'),
    removed: count('removed'),
  }
  if (records === null || changes.removed === 0) return { changes, removedRecords: [] }
  const removedRecords = await readRemoved(duckdb, records)
  const known = await countKnown(duckdb, records)
  const firstIds = removedRecords.map(({ id }) => id)
  checkRemovals({ shown: 'files', removed: changes.removed, known, firstIds }, maxRemoved)
  return { changes, removedRecords }
}

/** A full load lacks them; a delta has them without a content hash. See record-table.ts for rows without content. */
function removedOnes(start: number, kind: Load['kind']): string {
  const gone =
    kind === 'full'
      ? 'ANTI JOIN loaded ON state.id = loaded.id'
      : 'SEMI JOIN (FROM loaded WHERE content_hash IS NULL) gone ON state.id = gone.id'
  return `UNION ALL
    SELECT state.id, 'removed', state.valid_from, greatest(${start}, state.valid_from + 1)
    FROM state ${gone} WHERE state.removed_at IS NULL`
}

const emptyState = `(SELECT NULL::VARCHAR AS id, NULL::VARCHAR AS content_hash, NULL::TIMESTAMPTZ AS updated_at,
  NULL::TIMESTAMPTZ AS valid_from, NULL::TIMESTAMPTZ AS removed_at WHERE false)`

/** Two rows of one id would become two of each in every table. */
async function requireEachOnce(duckdb: Duckdb, load: Load): Promise<void> {
  const [repeated] = await duckdb.readAll('SELECT id FROM changes GROUP BY id HAVING count(*) > 1 LIMIT 1')
  if (repeated !== undefined)
    throw new Error(`${load.records}: expected each id once, got "${String(repeated[0])}" again`)
}

/** Records of the state, without those that were gone before. */
async function countKnown(duckdb: Duckdb, records: string): Promise<number> {
  const found = await duckdb.readAll(
    `SELECT count(*)::INTEGER FROM ${formatParquetFiles([records])} WHERE removed_at IS NULL`,
  )
  return Number(found[0]?.[0] ?? 0)
}

async function readRemoved(duckdb: Duckdb, records: string): Promise<RemovedRecord[]> {
  const rows = await duckdb.readAll(`SELECT id, status, replacement FROM ${formatParquetFiles([records])} state
    SEMI JOIN (SELECT id FROM changes WHERE change = 'removed') gone ON state.id = gone.id ORDER BY id LIMIT 100`)
  return (rows as [string, string | null, string | null][]).map(([id, status, replacement]) => ({
    id,
    status,
    replacement,
  }))
}
