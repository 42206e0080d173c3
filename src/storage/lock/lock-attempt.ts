import { dirname } from 'node:path'
import { createFolders, renameFile, writeFlushed, type FileSystem, tryLink } from '../file-system.ts'
import { failedWith } from '../output-operation.ts'
import { checkLife, formatHolder, type LockHolder } from './lock-holder.ts'
import type { LockState } from './wait-for-lock.ts'
import { candidatePath, readLockVersions, type LockVersion } from './lock-versions.ts'

export interface AttemptOptions {
  readonly leaseMs: number
  readonly fs: FileSystem
  readonly checkLife?: typeof checkLife
}

/**
 * An attempt of one run to take a lock, by these rules:
 *
 * 1. A lock, and an heir, appears whole, under a name that only one run can take: as a link to a written file.
 * 2. The lock of a dead holder changes in one way only: its heir, whose name belongs to that holder alone, renames a
 * lock
 * of its own over it. An heir that died before that has an heir itself.
 * 3. A faster run may have taken, used and freed the name before. So an heir looks again: it counts only while the lock
 * is
 * still the dead holder's. From then on no other run can change the lock.
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

  /** Tries once: takes the lock, or returns the state of the present lock. */
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

  async end(): Promise<void> {
    if (this.#isWritten) await this.#fs.rm(this.#candidate, { force: true })
  }

  /** Null if the holder is dead. */
  async #check({ holder, aliveAtMs }: LockVersion): Promise<LockState | null> {
    const life = holder === null ? 'unknown' : await this.#checkLife(holder, this.#own)
    if (life === 'dead') return null
    if (life === 'alive') return { holder, silentMs: null, leaseMs: this.#leaseMs }
    const silentMs = Math.max(0, (await this.#readClock()) - aliveAtMs)
    return silentMs > this.#leaseMs ? null : { holder, silentMs, leaseMs: this.#leaseMs }
  }

  /** Takes a name for this run; false if another run has it. */
  async #claim(name: string): Promise<boolean> {
    await this.#writeCandidate()
    try {
      if (await tryLink(this.#candidate, name, this.#fs)) return true
    } catch (thrown) {
      // A run on another machine can't see that this one runs, and may have cleared the candidate.
      if (failedWith(thrown, 'EEXIST', 'ENOENT')) return false
      throw thrown
    }
    return this.#create(name)
  }

  /**
   * Takes a name on a file system without links. The file is whole a moment later: until then it names no holder, and
   * is young.
   */
  async #create(name: string): Promise<boolean> {
    try {
      await this.#write(name, 'wx')
      return true
    } catch (thrown) {
      if (failedWith(thrown, 'EEXIST')) return false
      throw thrown
    }
  }

  /** Replaces the dead holder's lock by one of this run; false if it has gone. */
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
      // Otherwise this run would count as the holder while its process lives.
      await this.#fs.rm(dead.heirPath, { force: true })
      throw error
    }
    for (const { heirPath } of versions) await this.#fs.rm(heirPath, { force: true })
    return true
  }

  async #replace(): Promise<void> {
    try {
      await renameFile(this.#candidate, this.#path, this.#fs)
    } catch (thrown) {
      if (!failedWith(thrown, 'ENOENT')) throw thrown
      await this.#writeCandidate()
      await renameFile(this.#candidate, this.#path, this.#fs)
    }
  }

  /** Empties and writes the candidate: only valid while the candidate has no other name. */
  async #writeCandidate(): Promise<void> {
    await createFolders(dirname(this.#path), this.#fs)
    await this.#write(this.#candidate, 'w')
    this.#isWritten = true
  }

  async #write(path: string, flags: 'w' | 'wx'): Promise<void> {
    // Flushed, so that after a power loss a lock either names its holder or does not exist.
    await writeFlushed(path, flags, formatHolder(this.#own), this.#fs)
  }

  /** The time by the file system's clock, which may be another machine's. */
  async #readClock(): Promise<number> {
    await this.#writeCandidate()
    return (await this.#fs.stat(this.#candidate)).mtimeMs
  }
}
