import type { LockReport } from '../../../storage/lock/wait-for-lock.ts'
import { formatDuration } from '../../../text/format-size.ts'

/** `process 4711 on "etl-1", run 0f3a…, since 2026-01-02T02:00:00.000Z, token 12; it loses the lock in 48.0 s without …` */
export function describeLock(lock: LockReport | null): string {
  if (lock === null) return 'free'
  const { holder, token, isOver } = lock
  const who =
    holder === null
      ? 'a run that the lock does not name'
      : `process ${holder.pid} on "${holder.host}", run ${holder.run}, since ${holder.since}`
  const facts = `${who}${token === null ? '' : `, token ${token}`}`
  return isOver
    ? `${facts}; it has ended or stands still: the next run takes the lock over`
    : `${facts}${whenOver(lock)}`
}

function whenOver({ expiresInMs }: LockReport): string {
  return expiresInMs === null ? '' : `; without a sign of life it loses the lock in ${formatDuration(expiresInMs)}`
}
