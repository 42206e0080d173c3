import { chooseKernel } from './load-kernel.ts'

/**
 * Threads of native code. They run nothing but the kernel, so a thread takes no start and little memory; work is done in
 * the order in which it is given. The memory that work is on belongs to it until its answer.
 */
export class KernelThreads {
  readonly #threads: ThreadsOfAddon
  readonly #underWay = new Set<Promise<number>>()

  private constructor(threads: ThreadsOfAddon) {
    this.#threads = threads
  }

  /** Null if the kernel is not native code. */
  static open(count: number): KernelThreads | null {
    const { addon } = chooseKernel()
    return addon === null ? null : new KernelThreads(new addon.Threads(count))
  }

  /** Has a function of the kernel, which takes an address, run by one of the threads. Rejects if it panics. */
  async run(run: RunByThread, address: number): Promise<number> {
    const answer = run(this.#threads, address)
    this.#underWay.add(answer)
    try {
      return await answer
    } finally {
      this.#underWay.delete(answer)
    }
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    this.#threads.close()
  }
}

export type RunByThread = (threads: ThreadsOfAddon, address: number) => Promise<number>

/** The threads of the addon. */
export interface ThreadsOfAddon {
  close(): void
}
