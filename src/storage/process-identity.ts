import { readFile } from 'node:fs/promises'

/** A process, distinct from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number
  /** The start time in clock ticks since boot; null if the system does not say (only Linux does). */
  readonly startTicks: string | null
}

export async function readOwnIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startTicks: (await readProcessStatus(process.pid))?.startTicks ?? null }
}

/**
 * True while the process runs; false for a killed process that is not reaped yet. Without `startTicks`, a later process
 * with the same pid counts as it.
 */
export async function isRunning({ pid, startTicks }: ProcessIdentity): Promise<boolean> {
  if (!takesSignals(pid)) return false
  const status = await readProcessStatus(pid)
  if (status === undefined) return true
  const isDead = status.state === 'Z' || status.state === 'X'
  return !isDead && (startTicks === null || startTicks === status.startTicks)
}

function takesSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Fields 3 and 22 of proc_pid_stat(5); undefined without a readable /proc. */
async function readProcessStatus(pid: number): Promise<{ state: string; startTicks: string } | undefined> {
  let stat: string
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The preceding field, the name, is in parentheses and may hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTicks] = [fields[0], fields[19]]
  return state === undefined || startTicks === undefined ? undefined : { state, startTicks }
}
