import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

export interface BlockWatchOptions {
  /** Opens the connection over which the server is asked; the signal ends it. */
  readonly connect: (over: AbortSignal) => Promise<pg.Client>
  readonly pid: string
  /** Called with the blocking sessions whenever these change. */
  readonly report: (holders: string) => void
}

/** Runs a statement; if it takes long, asks over a second connection whether it waits for others, such as for a row. */
export async function whileWatched<Result>(
  statement: () => Promise<Result>,
  options: BlockWatchOptions,
): Promise<Result> {
  const over = new AbortController()
  void watch(options, over.signal)
  try {
    return await statement()
  } finally {
    over.abort()
  }
}

/** Never rejects: if the server can't be asked, the statement's own timeout ends it without a warning. */
async function watch({ connect, pid, report }: BlockWatchOptions, over: AbortSignal): Promise<void> {
  let client: pg.Client | undefined
  try {
    for (let last = ''; !over.aborted;) {
      await sleep(intervalMs, undefined, { signal: over, ref: false })
      client ??= await connect(over)
      const { rows } = await client.query<Record<string, string | null>>(
        `SELECT ${formatSessionColumns} FROM unnest(pg_blocking_pids(${pid})) AS b(pid) JOIN pg_catalog.pg_stat_activity AS a ON a.pid = b.pid`,
      )
      const holders = rows.map(formatServerSession).join('; ')
      if (holders !== '' && holders !== last && !over.aborted) report(holders)
      last = holders
    }
  } catch {
    // The statement is over, or the server takes no second connection.
  }
}

const intervalMs = 2000

/** Columns of `pg_stat_activity AS a` that identify a session, without its query, which may hold secrets. */
export const formatSessionColumns = `a.pid::text, a.usename::text AS username, a.application_name::text AS application,
  coalesce(a.client_addr::text, 'this host') AS address, a.state::text AS state, a.xact_start::text AS since`

type Row = Readonly<Record<string, string | null>>

/** `server process 12 of "ana" ("psql" from 10.0.0.7), idle in transaction, since 2026-03-01 02:15:00+00` */
export function formatServerSession({ pid, username, application, address, state, since }: Row): string {
  if (!pid) return 'a prepared transaction'
  const program = application ? `"${application.slice(0, 64)}" from ${address}` : address
  // Sessions of other roles are hidden from a role outside pg_read_all_stats.
  const doing = state ? `, ${state}` : ''
  return `server process ${pid} of "${username ?? 'nobody'}" (${program})${doing}${since ? `, since ${since}` : ''}`
}
