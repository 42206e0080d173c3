import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { readOwnIdentity, isRunning, type ProcessIdentity } from '../process-identity.ts'

export interface LockHolder extends ProcessIdentity {
  readonly run: string
  readonly host: string
  /** The boot and pid namespace within which `pid` is unique; null if the system does not say. */
  readonly processes: string | null
  /** ISO 8601 in UTC, by the holder's clock. */
  readonly since: string
}

const format = 'catalogue-etl lock 1'

export async function readOwnHolder(run: string): Promise<LockHolder> {
  const { pid, startTicks } = await readOwnIdentity()
  return { run, pid, startTicks, host: hostname(), processes: await readProcesses(), since: new Date().toISOString() }
}

export function formatHolder(holder: LockHolder): string {
  return `${JSON.stringify({ format, ...holder })}\n`
}

/** Null for text of another format: incomplete, or of another version. */
export function parseHolder(text: string): LockHolder | null {
  let value: Partial<Record<keyof LockHolder | 'format', unknown>>
  try {
    value = (JSON.parse(text) ?? {}) as typeof value
  } catch {
    return null
  }
  return value.format === format ? toHolder(value) : null
}

/** Null if a member is missing or of another type. */
export function toHolder(value: Partial<Record<keyof LockHolder, unknown>>): LockHolder | null {
  const { run, pid, startTicks, host, processes, since } = value
  const isHolder =
    typeof run === 'string' &&
    /^[\w-]+$/.test(run) &&
    Number.isSafeInteger(pid) &&
    [startTicks, processes].every((member) => member === null || typeof member === 'string') &&
    [host, since].every((member) => typeof member === 'string')
  return isHolder ? ({ run, pid, startTicks, host, processes, since } as LockHolder) : null
}

/** Whether the holder's process runs; `unknown` if it is on another machine or in another container. */
export async function checkLife(holder: LockHolder, own: LockHolder): Promise<'alive' | 'dead' | 'unknown'> {
  if (holder.processes !== own.processes || (own.processes === null && holder.host !== own.host)) return 'unknown'
  return (await isRunning(holder)) ? 'alive' : 'dead'
}

/** Null on systems other than Linux, where containers are machines with names of their own. */
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
