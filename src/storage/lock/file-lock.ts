import * as nodeFs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError, interrupted } from '../../errors.ts'
import type { RunContext } from '../../run-context.ts'
import { createFolders, type FileSystem } from '../file-system.ts'
import { outputOperation } from '../output-operation.ts'
import { LockAttempt, type LockState } from './lock-attempt.ts'
import { readOwnHolder, type LockHolder } from './lock-holder.ts'
import { readLockVersion } from './lock-versions.ts'

/** A lock that is held until it is released, or this process has ended. */
export interface FileLock {
  /** Throws LOCKED if another run has taken the lock over, as this one gave no sign of life for too long. */
  confirm(): Promise<void>
  release(): Promise<void>
}

export interface FileLockOptions extends Pick<RunContext, 'signal'> {
  /** The owner of the lock, for messages. */
  readonly subject: string
  /** Unique to the run: letters, digits, `_` and `-`. */
  readonly run: string
  /** The longest wait for another holder; 0 for none. Default 0. */
  readonly waitMs?: number | undefined
  /** Called once when the run has to wait for the lock, with the holder. */
  readonly onWait?: ((message: string) => void) | undefined
  /** Time without a sign of life after which a holder on another machine counts as dead. */
  readonly leaseMs?: number | undefined
}

/**
 * Takes the lock at this path. Throws LOCKED, with the holder, when another run has not released it after `waitMs`, and
 * INTERRUPTED when `signal` aborts while it waits. One of the waiting runs takes over the lock of a run whose process is
 * gone. The lock of a holder on another machine is taken over when it has given no sign of life for `leaseMs`, by the
 * clock of the file system. OUTPUT_FAILED when the lock cannot be written.
 */
export async function takeFileLock(
  path: string,
  { subject, run, waitMs = 0, signal, onWait, leaseMs = 120_000 }: FileLockOptions,
  fs: FileSystem = nodeFs,
): Promise<FileLock> {
  const own = await readOwnHolder(run)
  const attempt = new LockAttempt(path, own, { leaseMs, fs })
  let until: number | undefined
  let hasReported = false
  const take = async (): Promise<FileLock> => {
    await createFolders(dirname(path), fs)
    for (let pauseMs = 50; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
      const state = await attempt.take()
      if (state === 'taken') return await HeldLock.open(path, own, { subject, leaseMs }, fs)
      until ??= performance.now() + waitMs
      const leftMs = until - performance.now()
      if (leftMs <= 0) throw locked(path, subject, state, leaseMs)
      if (!hasReported) onWait?.(`waits for ${formatState(state)}`)
      hasReported = true
      await pause(Math.min(pauseMs, leftMs), subject, state, signal)
    }
  }
  try {
    return await outputOperation(path, 'locked', take)
  } finally {
    await attempt.end()
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

function locked(path: string, subject: string, state: LockState, leaseMs: number): CatalogueError {
  const message = `${subject}: expected no other run of it at the same time, got ${formatState(state)}`
  const fix =
    state.silentMs === null
      ? 'Wait for it with `--wait`, or run again when it has ended.'
      : `Wait for it with \`--wait\`: after ${formatSeconds(leaseMs)} without a sign of life it counts as dead. If you know that it is, delete "${path}".`
  return new CatalogueError('LOCKED', message, {
    title: 'Another run of the pipeline is running',
    fix,
    outputs: 'This run read nothing and published nothing.',
  })
}

/** `process 12 on "host", run 3f…, since 2026-01-02T03:04:05.678Z` */
function formatState({ holder, silentMs }: LockState): string {
  const life =
    silentMs === null ? '' : `, which can't be seen from here; its last sign of life is ${formatSeconds(silentMs)} old`
  if (holder === null) return `a lock that does not name its holder${life}`
  return `process ${holder.pid} on "${holder.host}", run ${holder.run}, since ${holder.since}${life}`
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}

/**
 * `<dir>/.<basename>.lock` beside a file. For an object (`s3://…`) it is in the folder for temporary files: that keeps apart
 * the runs of one machine, but not those of several.
 */
export function lockPathFor(path: string): string {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return join(dirname(path), `.${basename(path)}.lock`)
  const name = createHash('sha256').update(path).digest('hex').slice(0, 24)
  return join(tmpdir(), `.catalogue-etl-${name}.lock`)
}

class HeldLock implements FileLock {
  readonly #path: string
  readonly #own: LockHolder
  readonly #subject: string
  readonly #handle: FileHandle
  readonly #fs: FileSystem
  readonly #beat: NodeJS.Timeout
  #beating: Promise<unknown> = Promise.resolve()

  private constructor(
    path: string,
    own: LockHolder,
    subject: string,
    handle: FileHandle,
    beatMs: number,
    fs: FileSystem,
  ) {
    this.#path = path
    this.#own = own
    this.#subject = subject
    this.#handle = handle
    this.#fs = fs
    this.#beat = setInterval(() => void (this.#beating = this.#giveSign()), beatMs).unref()
  }

  static async open(
    path: string,
    own: LockHolder,
    { subject, leaseMs }: { readonly subject: string; readonly leaseMs: number },
    fs: FileSystem,
  ): Promise<HeldLock> {
    const handle = await fs.open(path, 'r+')
    return new HeldLock(path, own, subject, handle, leaseMs / beatsPerLease, fs)
  }

  async confirm(): Promise<void> {
    await outputOperation(this.#path, 'read', async () => {
      await this.#handle.write(firstByte, 0, 1, 0)
      const version = await readLockVersion(this.#path, this.#fs)
      if (version?.holder?.run === this.#own.run) return
      const got = version === null ? 'none' : `that of ${formatState({ holder: version.holder, silentMs: null })}`
      const message = `${this.#subject}: expected the lock of this run still to be there, got ${got}`
      throw new CatalogueError('LOCKED', message, { title: 'Another run has taken over', fix: howToKeep })
    })
  }

  async release(): Promise<void> {
    clearInterval(this.#beat)
    await this.#beating
    await outputOperation(this.#path, 'unlocked', async () => {
      await this.#handle.close()
      const version = await readLockVersion(this.#path, this.#fs)
      if (version?.holder?.run === this.#own.run) await this.#fs.rm(this.#path, { force: true })
    })
  }

  /** Writes a byte: the time comes from the clock of the file system, which all holders share. */
  async #giveSign(): Promise<void> {
    try {
      await this.#handle.write(firstByte, 0, 1, 0)
    } catch {
      // The next sign may succeed; `confirm`, before anything is published, throws what still fails.
    }
  }
}

const beatsPerLease = 6
const firstByte = Buffer.from('{')
const howToKeep =
  'Look why this run stood still: a machine that slept, or a disk that did not answer. Run again when the other one has ended.'
