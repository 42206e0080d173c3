import { dirname } from 'node:path'
import { createFolders, writeFlushed, type FileSystem, tryLink } from '../file-system.ts'
import { failedWith } from '../output-operation.ts'
import { checkLife, formatHolder, type LockHolder } from './lock-holder.ts'
import { candidatePath } from './lock-versions.ts'
import { readLockVersions, type LockVersion } from './lock-versions.ts'

/** Who keeps a lock from being taken. */
export interface LockState {
  /** Null where the lock says nothing that can be understood. */
  readonly holder: LockHolder | null
  /** Since its last sign of life, where that is all that is known of it; null where its process runs. */
  readonly silentMs: number | null
}

export interface AttemptOptions {
  /** How long a holder that cannot be asked may give no sign of life. */
  readonly leaseMs: number
  readonly fs: FileSystem
  readonly checkLife?: typeof checkLife
}

/**
 * One run that tries to take a lock, by these rules:
 *
 * 1. A lock, and an heir, appears whole and under a name that only one can take: a link to a written file.
 * 2. The lock of a dead holder changes in one way only: whoever is its heir (a name that each holder has of its own)
 *    renames a lock of its own over it. An heir that died before has an heir itself.
 * 3. A name that was free may have been taken, used and freed by somebody faster, so an heir looks again: only where the
 *    lock is still the dead holder's does it count. From then on nobody else can change it.
 */
export class LockAttempt {
  readonly #path: string
  readonly #own: LockHolder
  readonly #leaseMs: number
  readonly #fs: FileSystem
  readonly #checkLife: typeof checkLife
  readonly #candidate: string
  #isWritten = false

  constructor(path: string, own: LockHolder, options: AttemptOptions) {
    this.#path = path
    this.#own = own
    this.#leaseMs = options.leaseMs
    this.#fs = options.fs
    this.#checkLife = options.checkLife ?? checkLife
    this.#candidate = candidatePath(path, own)
  }

  /** Tries once: the lock is taken, or somebody holds it. */
  async take(): Promise<'taken' | LockState> {
    for (;;) {
      const versions = await readLockVersions(this.#path, this.#fs)
      const last = versions.at(-1)
      if (last === undefined) {
        if (await this.#claim(this.#path)) return 'taken'
        continue
      }
      const state = await this.#check(last)
      if (state !== null) return state
      if ((await this.#claim(last.heirPath)) && (await this.#inherit(last))) return 'taken'
    }
  }

  /** Removes what was written for the attempt. */
  async end(): Promise<void> {
    if (this.#isWritten) await this.#fs.rm(this.#candidate, { force: true })
  }

  /** Null where the holder is dead. */
  async #check({ holder, aliveAtMs }: LockVersion): Promise<LockState | null> {
    const life = holder === null ? 'unknown' : await this.#checkLife(holder, this.#own)
    if (life === 'dead') return null
    if (life === 'alive') return { holder, silentMs: null }
    const silentMs = Math.max(0, (await this.#readClock()) - aliveAtMs)
    return silentMs > this.#leaseMs ? null : { holder, silentMs }
  }

  /** Whether this run is now the one that has the name. */
  async #claim(name: string): Promise<boolean> {
    await this.#writeCandidate()
    try {
      if (await tryLink(this.#candidate, name, this.#fs)) return true
    } catch (thrown) {
      // A run on another machine, which cannot know better, may have cleared the candidate.
      if (failedWith(thrown, 'EEXIST', 'ENOENT')) return false
      throw thrown
    }
    return this.#create(name)
  }

  /** Without links: taken at once, whole a moment later. Until then it says nothing of its holder, and is young. */
  async #create(name: string): Promise<boolean> {
    try {
      await this.#write(name, 'wx')
      return true
    } catch (thrown) {
      if (failedWith(thrown, 'EEXIST')) return false
      throw thrown
    }
  }

  /** Puts a lock of this run in the place of the dead holder's; false where it is no longer there. */
  async #inherit(dead: LockVersion): Promise<boolean> {
    const versions = await readLockVersions(this.#path, this.#fs)
    const [before, last] = versions.slice(-2)
    if (before?.heirPath !== dead.heirPath || last?.holder?.run !== this.#own.run) {
      await this.#fs.rm(dead.heirPath, { force: true })
      return false
    }
    try {
      await this.#replace()
    } catch (error) {
      // Otherwise this run would pass for the holder for as long as its process lives.
      await this.#fs.rm(dead.heirPath, { force: true })
      throw error
    }
    for (const { heirPath } of versions) await this.#fs.rm(heirPath, { force: true })
    return true
  }

  async #replace(): Promise<void> {
    try {
      await this.#fs.rename(this.#candidate, this.#path)
    } catch (thrown) {
      if (!failedWith(thrown, 'ENOENT')) throw thrown
      await this.#writeCandidate()
      await this.#fs.rename(this.#candidate, this.#path)
    }
  }

  /** To be called only while the candidate has no other name: it is emptied first. */
  async #writeCandidate(): Promise<void> {
    await createFolders(dirname(this.#path), this.#fs)
    await this.#write(this.#candidate, 'w')
    this.#isWritten = true
  }

  async #write(path: string, flags: 'w' | 'wx'): Promise<void> {
    // Flushed: after a loss of power a lock names its holder, or is not there.
    await writeFlushed(path, flags, formatHolder(this.#own), this.#fs)
  }

  /** The time by the file system's clock, which may be another machine's. */
  async #readClock(): Promise<number> {
    await this.#writeCandidate()
    return (await this.#fs.stat(this.#candidate)).mtimeMs
  }
}
