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

export interface FileLock {
  /** Throws LOCKED if another run took the lock over because this one gave no sign of life for too long. */
  confirm(): Promise<void>
  release(): Promise<void>
}

export interface FileLockOptions extends Pick<RunContext, 'signal'> {
  /** The name of the locked thing, for messages. */
  readonly subject: string
  readonly run: string
  /** The longest wait for another holder. Default 0: no wait. */
  readonly waitMs?: number | undefined
  /** Called once, with the holder, if the run has to wait. */
  readonly onWait?: ((message: string) => void) | undefined
  /** A holder on another machine counts as dead after so long without a sign of life. */
  readonly leaseMs?: number | undefined
}

/**
 * Takes the lock at this path. Throws LOCKED with the holder if it is not free within `waitMs`, INTERRUPTED if `signal`
 * aborts the wait, and OUTPUT_FAILED if the lock can't be written. A lock is taken over, by one of the waiting runs, if
 * its holder's process has ended, or if a holder on another machine has given no sign of life for `leaseMs` by the file
 * system's clock.
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
 * `<dir>/.<basename>.lock` beside a file. An object (`s3://…`) has its lock in the temporary folder, which excludes
 * runs of the same machine but not of others.
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

  /** Writes a byte, so that the file system sets the time: all holders share its clock. */
  async #giveSign(): Promise<void> {
    try {
      await this.#handle.write(firstByte, 0, 1, 0)
    } catch {
      // The next sign may succeed. `confirm`, called before publishing, throws a failure that persists.
    }
  }
}

const beatsPerLease = 6
const firstByte = Buffer.from('{')
const howToKeep =
  'Look why this run stood still: a machine that slept, or a disk that did not answer. Run again when the other one has ended.'
