import type { CompiledEncoding } from './encoding-plan.ts'
import type { EncodeBlock } from './encode-block.ts'
import type { EncodeGroup } from './encode-group.ts'
import { EncodeThread } from './encode-thread.ts'

/**
 * Worker threads that encode. What they are given is theirs until they answer. They throw what the encoding throws, and
 * UNEXPECTED where a thread ended instead.
 */
export interface EncodePool {
  /** Says what is to be encoded, before anything else is asked for. */
  start(plan: CompiledEncoding): void
  /** False while the threads start, until the first is there. */
  readonly isReady: boolean
  /** Whether a thread could run out of work without another block. */
  readonly isHungry: boolean
  readonly encodeBlock: EncodeBlock
  readonly encodeGroup: EncodeGroup
  /** Ends the threads, whatever they do. */
  close(): Promise<void>
}

/**
 * A thread is given `blocksAWorker` blocks at a time; a task goes to the one that has the least to do. Threads and
 * messages of Node's own: a pool of the library for that takes 28 ms to load, and 40 µs more for every block.
 */
export function openEncodePool(workers: number, blocksAWorker: number): EncodePool {
  const threads = Array.from({ length: workers }, () => new EncodeThread())

  function findIdlest(): EncodeThread {
    const ready = threads.filter(({ isReady }) => isReady)
    return (ready.length > 0 ? ready : threads).reduce((least, thread) => (thread.load < least.load ? thread : least))
  }

  return {
    start(plan) {
      for (const thread of threads) thread.start(plan)
    },
    get isReady() {
      return threads.some(({ isReady }) => isReady)
    },
    get isHungry() {
      return findIdlest().load < blocksAWorker
    },
    encodeBlock(block, repeated, buffer) {
      // Functions can't be sent.
      const { release: _, ...sent } = block
      return findIdlest().run({ kind: 'block', block: sent, repeated, buffer }, 1)
    },
    // A row group takes as long as many blocks.
    encodeGroup: (file, group) => findIdlest().run({ kind: 'group', file, group }, blocksAWorker),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
