import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError, interrupted } from '../../errors.ts'
import type { RunContext } from '../../run-context.ts'
import type { LockHolder } from './lock-holder.ts'

/** The right of one run to change the outputs of a pipeline: a file beside a manifest on disk, a lease in a bucket. */
export interface Lock {
  /** Throws LOCKED if another run took the lock over because this one gave no sign of life for too long. */
  confirm(): Promise<void>
  release(): Promise<void>
}

export interface LockState {
  readonly holder: LockHolder | null
  /** Time since the last sign of life, if nothing else is known of the holder; null if its process runs here. */
  readonly silentMs: number | null
  /** The holder counts as dead after so long without a sign of life. */
  readonly leaseMs: number
}

export interface LockReport extends LockState {
  /** Whether the holder is dead, or counts as dead, so that the next run takes the lock over. */
  readonly isOver: boolean
  /** Time until the holder counts as dead unless it gives a sign of life; null for a process that is seen from here. */
  readonly expiresInMs: number | null
  /** The fencing token of a lease, one more with each holder; null for a file. */
  readonly token: number | null
}

export interface LockOptions extends Pick<RunContext, 'signal'> {
  /** The name of the locked thing, for messages. */
  readonly subject: string
  readonly run: string
  /** The longest wait for another holder. Default 0: no wait. */
  readonly waitMs?: number | undefined
  /** Called once, with the holder, if the run has to wait. */
  readonly onWait?: ((message: string) => void) | undefined
}

/**
 * Tries to take a lock until it is free, for at most `waitMs`. Throws LOCKED with the holder if it is not, INTERRUPTED
 * if `signal` aborts the wait. `howToBreak` says how somebody can take it from a dead holder.
 */
export async function waitForLock<Taken extends object>(
  take: () => Promise<Taken | LockState>,
  { subject, waitMs = 0, signal, onWait }: LockOptions,
  howToBreak: string,
): Promise<Taken> {
  let until: number | undefined
  let hasReported = false
  for (let pauseMs = 50; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const taken = await take()
    if (!('holder' in taken)) return taken
    until ??= performance.now() + waitMs
    const leftMs = until - performance.now()
    if (leftMs <= 0) throw locked(subject, taken, howToBreak)
    if (!hasReported) onWait?.(`waits for ${formatState(taken)}`)
    hasReported = true
    await pause(Math.min(pauseMs, leftMs), subject, taken, signal)
  }
}

const longestPauseMs = 1000

async function pause(ms: number, subject: string, state: LockState, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal })
  } catch (cause) {
    throw interrupted(`${subject}: the run`, { where: ` while it waited for ${formatState(state)}`, cause })
  }
}

export function locked(subject: string, state: LockState, howToBreak: string): CatalogueError {
  const message = `${subject}: expected no other run of it at the same time, got ${formatState(state)}`
  const fix =
    state.silentMs === null
      ? 'Wait for it with `--wait`, or run again when it has ended.'
      : `Wait for it with \`--wait\`: after ${formatSeconds(state.leaseMs)} without a sign of life it counts as dead. If you know that it is, ${howToBreak}.`
  return new CatalogueError('LOCKED', message, {
    title: 'Another run of the pipeline is running',
    fix,
    outputs: 'This run read nothing and published nothing.',
  })
}

/** The error of a run whose lock has another holder, or none. */
export function takenOver(subject: string, found: Pick<LockState, 'holder'> | null): CatalogueError {
  const got = found === null ? 'none' : `that of ${formatState({ ...found, silentMs: null })}`
  const message = `${subject}: expected the lock of this run still to be there, got ${got}`
  return new CatalogueError('LOCKED', message, { title: 'Another run has taken over', fix: howToKeep })
}

const howToKeep =
  'Look why this run stood still: a machine that slept, or a disk that did not answer. Run again when the other one has ended.'

function formatState({ holder, silentMs }: Pick<LockState, 'holder' | 'silentMs'>): string {
  const life =
    silentMs === null ? '' : `, which can't be seen from here; its last sign of life is ${formatSeconds(silentMs)} old`
  if (holder === null) return `a lock that does not name its holder${life}`
  return `process ${holder.pid} on "${holder.host}", run ${holder.run}, since ${holder.since}${life}`
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
