import { checkRemovals } from '../changes/check-removals.ts'
import { formatComparison, toChangeCounts } from '../changes/compare-records.ts'
import type { Load } from '../merge-result.ts'
import type { CountLimit } from '../../plan/count-limit.ts'
import type { Duckdb } from './open-duckdb.ts'
import { formatParquetFiles } from './sql-text.ts'
import type { ChangeCounts, RemovedRecord } from '../../manifest/manifest.ts'

/**
 * Creates the table `changes` of a load, see `formatComparison`. `records` are those of the state, as SQL that may follow
 * FROM; null if there is none.
 */
export async function createChanges(duckdb: Duckdb, load: Load, records: string | null): Promise<void> {
  const { kind, startedAt } = load
  const loaded = formatParquetFiles([load.records])
  await duckdb.run(
    `CREATE TABLE changes AS ${formatComparison({ loaded, state: records ?? emptyState, kind, startedAt, carried: [] })}`,
  )
  await requireEachOnce(duckdb, load)
}

const emptyState = `(SELECT NULL::VARCHAR AS id, NULL::VARCHAR AS content_hash, NULL::TIMESTAMPTZ AS updated_at,
  NULL::TIMESTAMPTZ AS valid_from, NULL::TIMESTAMPTZ AS removed_at WHERE false)`

/**
 * Counts the records by change, and lists the first removed ones. Throws REMOVED_TOO_MANY if the load removes too many.
 */
export async function readChanges(
  duckdb: Duckdb,
  records: string | null,
  maxRemoved: CountLimit,
  shown = 'files',
): Promise<{ readonly changes: ChangeCounts; readonly removedRecords: readonly RemovedRecord[] }> {
  const groups = await duckdb.readAll('SELECT change, count(*)::INTEGER FROM changes GROUP BY change')
  const changes = toChangeCounts(groups as [unknown, unknown][])
  if (records === null || changes.removed === 0) return { changes, removedRecords: [] }
  const removedRecords = await readRemoved(duckdb, records)
  const known = await countKnown(duckdb, records)
  const firstIds = removedRecords.map(({ id }) => id)
  checkRemovals({ shown, removed: changes.removed, known, firstIds }, maxRemoved)
  return { changes, removedRecords }
}

/** Two rows of one id would become two of each in every table. */
async function requireEachOnce(duckdb: Duckdb, load: Load): Promise<void> {
  const [repeated] = await duckdb.readAll('SELECT id FROM changes GROUP BY id HAVING count(*) > 1 LIMIT 1')
  if (repeated !== undefined)
    throw new Error(`${load.records}: expected each id once, got "${String(repeated[0])}" again`)
}

async function countKnown(duckdb: Duckdb, records: string): Promise<number> {
  const found = await duckdb.readAll(`SELECT count(*)::INTEGER FROM ${records} AS s WHERE removed_at IS NULL`)
  return Number(found[0]?.[0] ?? 0)
}

async function readRemoved(duckdb: Duckdb, records: string): Promise<RemovedRecord[]> {
  const rows = await duckdb.readAll(`SELECT id, status, replacement FROM ${records} state
    SEMI JOIN (SELECT id FROM changes WHERE change = 'removed') gone ON state.id = gone.id ORDER BY id LIMIT 100`)
  return (rows as [string, string | null, string | null][]).map(([id, status, replacement]) => ({
    id,
    status,
    replacement,
  }))
}
