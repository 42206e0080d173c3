import { chooseKernel } from './load-kernel.ts'

/**
 * Threads of native code. They run nothing but the kernel, so a thread takes no start and little memory; work is done in
 * the order in which it is given. The memory that work is on belongs to it until its answer.
 */
export class KernelThreads {
  readonly #group: ThreadGroup
  readonly #underWay = new Set<Promise<number>>()
  #isClosed = false

  private constructor(group: ThreadGroup) {
    this.#group = group
    group.users++
  }

  /** Threads of one user; null if the kernel is not native code. */
  static open(count: number): KernelThreads | null {
    const group = openGroup(count)
    return group && new KernelThreads(group)
  }

  /** The threads that all runs of this process share, at least `count`. They end with their last user. */
  static share(count: number): KernelThreads | null {
    if (shared === null || shared.users === 0 || shared.count < count) shared = openGroup(count)
    return shared && new KernelThreads(shared)
  }

  /** How many share the threads. */
  get users(): number {
    return this.#group.users
  }

  /** Has a function of the kernel, which takes an address, run by one of the threads. Rejects if it panics. */
  async run(run: RunByThread, address: number): Promise<number> {
    if (this.#isClosed) throw new Error('the threads have ended')
    const answer = run(this.#group.threads, address)
    this.#underWay.add(answer)
    try {
      return await answer
    } finally {
      this.#underWay.delete(answer)
    }
  }

  /** Waits for what this user has under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    if (this.#isClosed) return
    this.#isClosed = true
    if (--this.#group.users === 0) this.#group.threads.close()
  }
}

interface ThreadGroup {
  readonly threads: ThreadsOfAddon
  readonly count: number
  users: number
}

function openGroup(count: number): ThreadGroup | null {
  const { addon } = chooseKernel()
  return addon && { threads: new addon.Threads(count), count, users: 0 }
}

let shared: ThreadGroup | null = null

export type RunByThread = (threads: ThreadsOfAddon, address: number) => Promise<number>

/** The threads of the addon. */
export interface ThreadsOfAddon {
  close(): void
}
