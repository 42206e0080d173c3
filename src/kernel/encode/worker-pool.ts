import type { MemorySpace } from '../../records/memory/memory-space.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { EncodeBlock, EncodeGroup } from './encode-block.ts'
import type { SentResult } from './encode-task.ts'
import { EncodeThread } from './encode-thread.ts'
import type { CompiledEncoding } from './encoding-plan.ts'

/**
 * Threads that encode. A block or row group belongs to them until they answer. Calls throw what the encoding throws, and
 * UNEXPECTED if a thread has ended.
 */
export interface EncodePool {
  /** Gives the plan, and the memory that blocks may be in, to every thread. Called before any other method. */
  start(plan: CompiledEncoding, space: MemorySpace): void
  /** How many blocks keep all threads busy. */
  readonly ahead: number
  readonly isReady: boolean
  /** False if the thread that asks has to encode the next block, as the others are busy or still start. */
  takesBlock(): boolean
  readonly encodeBlock: EncodeBlock
  readonly encodeGroup: EncodeGroup
  /** Counts of the rows of all blocks, one part for each thread that had a block. */
  collectCounts(): Promise<readonly RowCounts[]>
  close(): Promise<void>
}

/** Threads of JavaScript. */
export interface WorkerPool extends EncodePool {
  /** True if a thread may run out of work without another block. */
  readonly isHungry: boolean
  /** Starts another thread, if more are allowed and the memory of the process is small enough. */
  grow(): void
}

/**
 * Opens up to `workers` of the threads that the runs of this process share, fewer while there are other runs. Each gets up
 * to `blocksAWorker` blocks of all runs at a time; a task goes to the thread with the least to do. Threads and messages are
 * Node's own: a library for pools takes 28 ms to load, and 40 µs more for every block.
 */
export function openWorkerPool(workers: number, blocksAWorker: number): WorkerPool {
  let space: MemorySpace | null = null
  let openThread: () => void
  const threads: EncodeThread[] = []
  const busied = new Set<EncodeThread>()
  const share = (): number => Math.ceil(workers / openPools.size)

  return {
    start(plan, shared) {
      openPools.add(this)
      space = shared
      openThread = () => void threads.push(EncodeThread.open(threads, plan, shared))
      while (threads.length < Math.min(share(), workersAtOnce)) openThread()
    },
    get ahead() {
      // One is encoded in this thread, one written, and one was done before its turn.
      return blocksAWorker * threads.length + 3
    },
    takesBlock() {
      if (this.isReady && !this.isHungry) this.grow()
      return this.isReady && this.isHungry
    },
    get isReady() {
      return threads.some(({ isReady }) => isReady)
    },
    get isHungry() {
      return findIdlest(threads).load < blocksAWorker
    },
    grow() {
      // One at a time, so that the memory that it takes is seen before the next one.
      if (threads.length >= share() || threads.some(({ isReady }) => !isReady)) return
      if (threads.length >= workersAtOnce && process.memoryUsage.rss() > mostBytesToGrow) return
      openThread()
    },
    async encodeBlock(block, repeated, room) {
      // Functions can't be sent.
      const { release: _, ...rest } = block
      const sent = { ...rest, bytes: space?.find(block.bytes) ?? block.bytes }
      const thread = findIdlest(threads)
      busied.add(thread)
      const encoded = await thread.run<SentResult>({ kind: 'block', block: sent, repeated, room }, 1)
      const pieces = encoded.pieces.map((piece) => ('address' in piece ? (space as MemorySpace).view(piece) : piece))
      return { ...encoded, pieces }
    },
    encodeGroup(file, group) {
      // A quarter of the work is row groups, and their memory is larger than that of blocks.
      const groupThreads = threads.slice(0, Math.max(2, Math.ceil(threads.length / 2)))
      // A row group takes as long as many blocks.
      return findIdlest(groupThreads).run({ kind: 'group', file, group }, blocksAWorker)
    },
    collectCounts: () => Promise.all([...busied].map((thread) => thread.run<RowCounts>({ kind: 'counts' }, 0))),
    async close() {
      openPools.delete(this)
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

/** Those of all runs of this process. */
const openPools = new Set<WorkerPool>()

/**
 * The number of threads that start at once; others start while all are busy. Each takes 10 MB, and up to 40 MB for wide
 * tables.
 */
export const workersAtOnce = 8
/** The limit for another thread. The running threads will still take more. */
export const mostBytesToGrow = 300 * 1024 * 1024

function findIdlest(threads: readonly EncodeThread[]): EncodeThread {
  const ready = threads.filter(({ isReady }) => isReady)
  return (ready.length > 0 ? ready : threads).reduce((least, thread) => (thread.load < least.load ? thread : least))
}
