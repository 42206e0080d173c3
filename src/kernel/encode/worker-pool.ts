import type { Worker } from 'node:worker_threads'
import { CatalogueError } from '../../errors.ts'
import type { RowGroup } from '../../formats/parquet/row-group-cutter.ts'
import type { EncodedRowGroup } from '../../formats/parquet/row-group-encoder.ts'
import type { MemoryRange, MemorySpace } from '../../records/memory/memory-space.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import type { Block } from '../../records/block.ts'
import { BlockTooLarge, type EncodeBlock, type EncodeGroup } from './encode-block.ts'
import type { CompiledEncoding, EncodedBlock } from './encoding-plan.ts'
import { startWorker } from './start-worker.ts'

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
 * Opens up to `workers` threads. Each gets up to `blocksAWorker` blocks at a time; a task goes to the thread with the
 * least to do. Threads and messages are Node's own: a library for pools takes 28 ms to load, and 40 µs more for every
 * block.
 */
export function openWorkerPool(workers: number, blocksAWorker: number): WorkerPool {
  let space: MemorySpace | null = null
  let startThread: ((thread: EncodeThread) => void) | undefined
  const threads = Array.from({ length: Math.min(workers, workersAtOnce) }, () => new EncodeThread())

  const busied = new Set<EncodeThread>()

  return {
    start(plan, shared) {
      space = shared
      startThread = (thread) => thread.start(plan, shared)
      threads.forEach(startThread)
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
      if (threads.length === workers || threads.some(({ isReady }) => !isReady)) return
      if (process.memoryUsage.rss() > mostBytesToGrow) return
      const thread = new EncodeThread()
      threads.push(thread)
      startThread?.(thread)
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
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

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

/** A task of a worker. `start` comes first; its answer means that the worker is ready for others. */
export type EncodeTask =
  | { readonly kind: 'start'; readonly plan: CompiledEncoding; readonly memory: WebAssembly.SharedMemory }
  | {
      readonly kind: 'block'
      readonly block: SentBlock
      readonly repeated: RepeatedLines | undefined
      readonly room: MemoryRange | undefined
    }
  | { readonly kind: 'group'; readonly file: number; readonly group: RowGroup }
  | { readonly kind: 'counts' }

export type SentBlock = Omit<Block, 'bytes' | 'release'> & { readonly bytes: Block['bytes'] | MemoryRange }

/** The result of a block. Pieces in the memory of all threads are sent as addresses. */
export type SentResult = Omit<EncodedBlock, 'pieces'> & { readonly pieces: readonly (Uint8Array | MemoryRange)[] }

export type TaskResult = SentResult | EncodedRowGroup | RowCounts | null

export interface TaskMessage {
  readonly id: number
  readonly task: EncodeTask
}

/** The answer to the task with this id. A CatalogueError would lose its code between threads. */
export type AnswerMessage =
  | { readonly id: number; readonly result: TaskResult }
  | { readonly id: number; readonly failure: Pick<CatalogueError, 'code' | 'message' | 'cause' | 'title' | 'fix'> }
  | { readonly id: number; readonly tooLarge: MemoryRange }

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (thrown: unknown) => void
}

/** One worker thread. Its tasks throw what the encoding throws, and UNEXPECTED if the thread has ended. */
class EncodeThread {
  /** False while it starts. A thread that failed to start is ready too: its tasks throw the reason. */
  isReady = false
  load = 0
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #ended: CatalogueError | null = null

  constructor() {
    this.#worker = startWorker(resourceLimits)
    this.#worker.on('message', (answer: AnswerMessage) => this.#receive(answer))
    this.#worker.on('messageerror', (error) => this.#end(error))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', (code) => this.#end(new Error(`an end with exit code ${code}`)))
  }

  start(plan: CompiledEncoding, space: MemorySpace): void {
    const setReady = (): void => void (this.isReady = true)
    this.run({ kind: 'start', plan, memory: space.memory }, 0).then(setReady, setReady)
  }

  async run<Result>(task: EncodeTask, load: number): Promise<Result> {
    if (this.#ended !== null) throw this.#ended
    const id = this.#asked++
    this.#worker.postMessage({ id, task } satisfies TaskMessage, [])
    this.load += load
    try {
      return await new Promise((resolve: (result: Result) => void, reject) => {
        this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      })
    } finally {
      this.load -= load
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #receive(answer: AnswerMessage): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('result' in answer) return waiting?.resolve(answer.result)
    if ('tooLarge' in answer) return waiting?.reject(new BlockTooLarge(answer.tooLarge))
    const { code, message, ...options } = answer.failure
    waiting?.reject(new CatalogueError(code, message, options))
  }

  #end(error: NodeJS.ErrnoException): void {
    const ended = (this.#ended ??= threadEnded(error))
    for (const { reject } of this.#waiting.values()) reject(ended)
    this.#waiting.clear()
  }
}

/** The failure of the thread itself; an error of a task is sent as an answer. */
function threadEnded(error: NodeJS.ErrnoException): CatalogueError {
  const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const got = isFull ? `more than ${resourceLimits.maxOldGenerationSizeMb} MB needed for one` : error.message
  const message = `a worker thread: expected to encode its blocks, got ${got}; \`--workers 0\` runs without worker threads`
  return new CatalogueError('UNEXPECTED', message, { cause: error })
}

/**
 * A small young generation keeps a worker small: with 32 MB, V8's default, each takes 40 MB more on the reference path,
 * and with 16 MB still 15 MB more on the fast path. The old generation is large enough for any block of 1 MiB, for
 * instance a million empty objects.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 1024 }
