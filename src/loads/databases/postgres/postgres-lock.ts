import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError } from '../../../errors.ts'
import type { DatabaseOutputPlan } from '../database-output.ts'
import { formatSessionColumns } from './block-watch.ts'
import type { PostgresSession } from './postgres-session.ts'

/** Keeps other loads of the pipeline out of the schema until the transaction ends. Throws LOCKED, with the holder. */
export async function lockState(
  session: PostgresSession,
  plan: Pick<DatabaseOutputPlan, 'target' | 'pipeline'>,
  waitMs: number,
): Promise<void> {
  const key = toLockKey(plan.target.schema, plan.pipeline)
  const until = Date.now() + waitMs
  for (;;) {
    const [row] = await session.rows(`SELECT pg_try_advisory_xact_lock(${key})::text AS locked`)
    if (row?.locked === 'true') return
    if (Date.now() >= until) break
    await sleep(Math.min(lockPollMs, Math.max(0, until - Date.now())))
  }
  const holder = await findHolder(session, key)
  const message = `${session.shown}: expected no other load of pipeline "${plan.pipeline}" at the same time, got ${holder}`
  throw new CatalogueError('LOCKED', message)
}

async function findHolder(session: PostgresSession, key: bigint): Promise<string> {
  const [row] = await session.rows(
    `SELECT ${formatSessionColumns}
    FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.granted AND (l.classid::bigint << 32) | l.objid::bigint = ${key} LIMIT 1`,
  )
  if (row === undefined) return 'one that has just ended'
  return `"${row.application}" from ${row.address} (server process ${row.pid}), since ${row.since}`
}

export function toLockKey(...parts: string[]): bigint {
  const digest = createHash('sha256')
    .update(['catalogue-etl', ...parts].join('\n'))
    .digest()
  return digest.readBigInt64BE()
}

const lockPollMs = 200
