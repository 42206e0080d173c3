import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { readOwnIdentity, isRunning, type ProcessIdentity } from '../process-identity.ts'

/** The holder of a lock: a run, its process, its machine, and the time it began. */
export interface LockHolder extends ProcessIdentity {
  /** Unique to the run. */
  readonly run: string
  readonly host: string
  /** The processes among which `pid` is unique: a boot and a namespace of a machine; null if the system does not say. */
  readonly processes: string | null
  /** ISO 8601, UTC, by the clock of the holder. */
  readonly since: string
}

const format = 'catalogue-etl lock 1'

/** This process as the holder for one run. */
export async function readOwnHolder(run: string): Promise<LockHolder> {
  const { pid, startTicks } = await readOwnIdentity()
  return { run, pid, startTicks, host: hostname(), processes: await readProcesses(), since: new Date().toISOString() }
}

export function formatHolder(holder: LockHolder): string {
  return `${JSON.stringify({ format, ...holder })}\n`
}

/** Null if the text is not of this format: half written, or by another version. */
export function parseHolder(text: string): LockHolder | null {
  let value: Partial<Record<keyof LockHolder | 'format', unknown>>
  try {
    value = (JSON.parse(text) ?? {}) as typeof value
  } catch {
    return null
  }
  const { run, pid, startTicks, host, processes, since } = value
  const isHolder =
    value.format === format &&
    typeof run === 'string' &&
    /^[\w-]+$/.test(run) &&
    Number.isSafeInteger(pid) &&
    [startTicks, processes].every((member) => member === null || typeof member === 'string') &&
    [host, since].every((member) => typeof member === 'string')
  return isHolder ? ({ run, pid, startTicks, host, processes, since } as LockHolder) : null
}

/** `unknown` for a process that can't be seen from here: of another machine or container. */
export async function checkLife(holder: LockHolder, own: LockHolder): Promise<'alive' | 'dead' | 'unknown'> {
  if (holder.processes !== own.processes || (own.processes === null && holder.host !== own.host)) return 'unknown'
  return (await isRunning(holder)) ? 'alive' : 'dead'
}

/** Null if the system is not Linux: containers are machines with names of their own there. */
async function readProcesses(): Promise<string | null> {
  try {
    const [boot, namespace] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
    ])
    return `${boot.trim()} ${namespace}`
  } catch {
    return null
  }
}
