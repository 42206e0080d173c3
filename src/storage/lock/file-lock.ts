import * as nodeFs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createFolders, type FileSystem } from '../file-system.ts'
import { outputOperation } from '../output-operation.ts'
import { LockAttempt } from './lock-attempt.ts'
import { checkLife, readOwnHolder, type LockHolder } from './lock-holder.ts'
import { readLockVersion, readLockVersions } from './lock-versions.ts'
import {
  type Lock,
  type LockOptions,
  type LockReport,
  type LockState,
  locked,
  takenOver,
  waitForLock,
} from './wait-for-lock.ts'

export interface FileLockOptions extends LockOptions {
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
  { leaseMs = defaultLeaseMs, ...options }: FileLockOptions,
  fs: FileSystem = nodeFs,
): Promise<Lock> {
  const { subject, run } = options
  const own = await readOwnHolder(run)
  const attempt = new LockAttempt(path, own, { leaseMs, fs })
  const take = () => takeBy(attempt, path, own, { subject, leaseMs }, fs)
  try {
    return await outputOperation(path, 'locked', async () => {
      await createFolders(dirname(path), fs)
      return waitForLock(take, options, `delete "${path}"`)
    })
  } finally {
    await attempt.end()
  }
}

async function takeBy(
  attempt: LockAttempt,
  path: string,
  own: LockHolder,
  options: { readonly subject: string; readonly leaseMs: number },
  fs: FileSystem,
): Promise<Lock | LockState> {
  const state = await attempt.take()
  return state === 'taken' ? HeldLock.open(path, own, options, fs) : state
}

/** The state of the lock at this path; null if nobody has it. Changes nothing. */
export async function readFileLock(path: string, fs: FileSystem = nodeFs): Promise<LockReport | null> {
  const version = (await outputOperation(path, 'read', () => readLockVersions(path, fs))).at(-1)
  if (version === undefined) return null
  const { holder, aliveAtMs } = version
  const life = holder === null ? 'unknown' : await checkLife(holder, await readOwnHolder('none'))
  // By the clock of this machine: only a run that takes the lock asks the file system for its own.
  const silentMs = Math.max(0, Date.now() - aliveAtMs)
  const isSeen = life === 'alive'
  return {
    holder,
    token: null,
    silentMs: isSeen ? null : silentMs,
    leaseMs: defaultLeaseMs,
    isOver: life === 'dead' || (life === 'unknown' && silentMs > defaultLeaseMs),
    expiresInMs: isSeen ? null : Math.max(0, defaultLeaseMs - silentMs),
  }
}

/**
 * Takes the lock from its holder, and releases it. Resolves with the former state; null if nobody had it. Throws LOCKED if
 * the holder's process runs on this machine.
 */
export async function breakFileLock(
  path: string,
  { subject, run }: Pick<LockOptions, 'subject' | 'run'>,
  fs: FileSystem = nodeFs,
): Promise<LockReport | null> {
  const broken = await readFileLock(path, fs)
  if (broken === null) return null
  const own = await readOwnHolder(run)
  const isBroken = (holder: LockHolder) => holder.run === broken.holder?.run
  const attempt = new LockAttempt(path, own, {
    leaseMs: broken.holder === null ? 0 : defaultLeaseMs,
    fs,
    checkLife: async (holder) => {
      const life = await checkLife(holder, own)
      return life === 'unknown' && isBroken(holder) ? 'dead' : life
    },
  })
  try {
    const lock = await takeBy(attempt, path, own, { subject, leaseMs: defaultLeaseMs }, fs)
    if ('holder' in lock) throw locked(subject, lock, `stop its process`)
    await lock.release()
    return broken
  } finally {
    await attempt.end()
  }
}

const defaultLeaseMs = 120_000

/** `<dir>/.<basename>.lock` beside a file. */
export function lockPathFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.lock`)
}

class HeldLock implements Lock {
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
      throw takenOver(this.#subject, version)
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
