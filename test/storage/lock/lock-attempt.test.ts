import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LockAttempt } from '../../../src/storage/lock/lock-attempt.ts'
import type { LockHolder } from '../../../src/storage/lock/lock-holder.ts'
import { readLockVersion } from '../../../src/storage/lock/lock-versions.ts'
import type { FileSystem } from '../../../src/storage/file-system.ts'
import { cases } from '../../depth.ts'
import { MemoryFileSystem } from './memory-file-system.ts'

const path = '/out/._manifest.json.lock'

describe.each([{ hasLinks: true }, { hasLinks: false }])(
  'takers of a lock whose operations mix in any order (links: $hasLinks)',
  (disk) => {
    test(
      'a lock is never held by two takers at once; some die anywhere, some release and come again',
      { timeout: 60_000 },
      async () => {
        const worlds = cases(500, 150)
        let taken = 0
        let inherited = 0
        for (let seed = 1; seed <= worlds; seed++) {
          const world = new World(seed, disk)
          await world.run()
          taken += world.taken
          inherited += world.inherited
        }
        // Otherwise the kills were not at the times that matter.
        expect(taken).toBeGreaterThan(2 * worlds)
        expect(inherited).toBeGreaterThan(worlds / 3)
      },
    )
  },
)

interface Actor {
  readonly pid: number
  isAlive: boolean
  holds: boolean
  resume: (() => void) | null
  isDone: boolean
}

/** Processes that take a lock, one operation at a time in a random order. */
class World {
  readonly #random: () => number
  readonly #disk = new MemoryFileSystem()
  readonly #actors: Actor[] = []
  readonly #options: { readonly hasLinks: boolean }
  taken = 0
  inherited = 0
  #failure: unknown = null

  constructor(seed: number, options: { readonly hasLinks: boolean }) {
    this.#random = createRandom(seed)
    this.#options = options
  }

  async run(): Promise<void> {
    for (let pid = 1; pid <= 4; pid++) this.#start(pid)
    let deaths = 0
    for (let steps = 0; steps < 5000; steps++) {
      await setImmediate()
      this.#disk.now++
      if (this.#failure !== null) throw this.#failure
      const ready = this.#actors.filter(({ isAlive, resume }) => isAlive && resume !== null)
      if (ready.length === 0) break
      const actor = ready[Math.floor(this.#random() * ready.length)]!
      if (deaths < 3 && this.#random() < 0.04) {
        deaths++
        actor.isAlive = false
        actor.holds = false
        continue
      }
      const { resume } = actor
      actor.resume = null
      resume?.()
    }
    const waiting = this.#actors.filter(({ isAlive, isDone }) => isAlive && !isDone)
    if (waiting.length > 0) throw new Error(`${waiting.length} never got the lock`)
  }

  #start(pid: number): void {
    const actor: Actor = { pid, isAlive: true, holds: false, resume: null, isDone: false }
    this.#actors.push(actor)
    const turn = () => new Promise<void>((resolve) => (actor.resume = resolve))
    this.#live(actor, this.#disk.as(turn, this.#options), turn).then(
      () => (actor.isDone = true),
      (error: unknown) => (this.#failure = error),
    )
  }

  /** Takes the lock, works a little and releases it, twice. */
  async #live(actor: Actor, fs: FileSystem, turn: () => Promise<void>): Promise<void> {
    for (const round of [1, 2]) {
      const own = toHolder(actor.pid, `run${actor.pid}-${round}`)
      const attempt = new LockAttempt(path, own, { leaseMs: 300, fs, checkLife: async (holder) => this.#ask(holder) })
      while ((await attempt.take()) !== 'taken') await turn()
      this.#take(actor)
      await attempt.end()
      await turn()
      actor.holds = false
      const version = await readLockVersion(path, fs)
      if (version?.holder?.run !== own.run) throw new Error(`the lock of ${own.run} is gone`)
      await fs.rm(path)
    }
  }

  #take(actor: Actor): void {
    const others = this.#actors.filter(({ holds, isAlive }) => holds && isAlive)
    if (others.length > 0) throw new Error(`${actor.pid} has the lock while ${others[0]?.pid} has it`)
    actor.holds = true
    this.taken++
    if (this.#actors.some(({ isAlive }) => !isAlive)) this.inherited++
  }

  #ask({ pid }: LockHolder): 'alive' | 'dead' {
    return this.#actors.some((actor) => actor.pid === pid && actor.isAlive) ? 'alive' : 'dead'
  }
}

function toHolder(pid: number, run: string): LockHolder {
  return { run, pid, startTicks: '1', host: 'here', processes: 'here', since: '2026-01-01T00:00:00.000Z' }
}

/** Random numbers from 0 to 1, equal for an equal seed. */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
