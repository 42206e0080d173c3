/** Columns of `pg_stat_activity AS a` that say who a session is, and nothing of its query, which may hold secrets. */
export const formatSessionColumns = `a.pid::text, a.usename::text AS username, a.application_name::text AS application,
  coalesce(a.client_addr::text, 'this host') AS address, a.state::text AS state, a.xact_start::text AS since`

type Row = Readonly<Record<string, string | null>>

/** `server process 12 of "ana" ("psql" from 10.0.0.7), idle in transaction, since 2026-03-01 02:15:00+00` */
export function formatServerSession({ pid, username, application, address, state, since }: Row): string {
  if (!pid) return 'a prepared transaction'
  const program = application ? `"${application.slice(0, 64)}" from ${address}` : address
  // Those of others are hidden from a role that is no member of pg_read_all_stats.
  const doing = state ? `, ${state}` : ''
  return `server process ${pid} of "${username ?? 'nobody'}" (${program})${doing}${since ? `, since ${since}` : ''}`
}
