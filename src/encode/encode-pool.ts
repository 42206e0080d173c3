import type { Worker } from 'node:worker_threads'
import { CatalogueError } from '../errors.ts'
import type { RowGroup } from '../formats/parquet/row-group-cutter.ts'
import type { EncodedRowGroup } from '../formats/parquet/row-group-encoder.ts'
import type { MemoryRange, MemorySpace } from '../memory/memory-space.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import type { RepeatedLines } from '../records/block-outcome.ts'
import type { Block } from '../records/block.ts'
import { BlockTooLarge, type EncodeBlock, type EncodeGroup } from './encode-block.ts'
import type { CompiledEncoding, EncodedBlock } from './encoding-plan.ts'

/**
 * Worker threads that encode. A block or row group is theirs until they answer. They throw what the encoding throws, and
 * UNEXPECTED where a thread ended instead.
 */
export interface EncodePool {
  /** Hands the plan, and the memory in which blocks may lie, to every thread, before any other call. */
  start(plan: CompiledEncoding, space: MemorySpace): void
  /** False while the threads start, until the first is there. */
  readonly isReady: boolean
  /** True while a thread could run out of work without another block. */
  readonly isHungry: boolean
  /** How many threads there are by now. */
  readonly size: number
  /** Starts another thread, if more were asked for and the memory of the process allows it. */
  grow(): void
  readonly encodeBlock: EncodeBlock
  readonly encodeGroup: EncodeGroup
  /** The counts of the rows of all blocks, a part for each thread that had one. */
  collectCounts(): Promise<readonly RowCounts[]>
  /** Ends the threads at once. */
  close(): Promise<void>
}

/**
 * Up to `workers` threads. Every one gets up to `blocksAWorker` blocks at a time; a task goes to the one with the least to do. Threads and
 * messages are Node's own: a library for pools takes 28 ms to load, and 40 µs more for every block.
 */
export function openEncodePool(workers: number, blocksAWorker: number): EncodePool {
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
    get size() {
      return threads.length
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
      // A quarter of the work is row groups, and the memory for them is larger than that for blocks.
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

/** More than these are started while all are busy: each takes 10 MB, and up to 40 MB where tables are wide. */
const workersAtOnce = 8
/** What the threads that are there take once they are under way comes on top of it. */
const mostBytesToGrow = 300 * 1024 * 1024

function findIdlest(threads: readonly EncodeThread[]): EncodeThread {
  const ready = threads.filter(({ isReady }) => isReady)
  return (ready.length > 0 ? ready : threads).reduce((least, thread) => (thread.load < least.load ? thread : least))
}

/** A task of a worker. `start` comes first, and is answered when the worker is ready for the others. */
export type EncodeTask =
  | { readonly kind: 'start'; readonly plan: CompiledEncoding; readonly memory: WebAssembly.SharedMemory }
  | {
      readonly kind: 'block'
      readonly block: SentBlock
      readonly repeated: RepeatedLines | undefined
      /** Reused for the pieces. */
      readonly room: MemoryRange | undefined
    }
  | { readonly kind: 'group'; readonly file: number; readonly group: RowGroup }
  | { readonly kind: 'counts' }

/** A block, or where it lies in the memory of all threads. */
export type SentBlock = Omit<Block, 'bytes' | 'release'> & { readonly bytes: Block['bytes'] | MemoryRange }

/** The result of a block, with pieces that are where they lie in the memory of all threads. */
export type SentResult = Omit<EncodedBlock, 'pieces'> & { readonly pieces: readonly (Uint8Array | MemoryRange)[] }

/** The result of a task, by its kind. */
export type TaskResult = SentResult | EncodedRowGroup | RowCounts | null

export interface TaskMessage {
  readonly id: number
  readonly task: EncodeTask
}

/** The answer to the task with this id. A CatalogueError would lose its code on the way to another thread. */
export type AnswerMessage =
  | { readonly id: number; readonly result: TaskResult }
  | { readonly id: number; readonly failure: Pick<CatalogueError, 'code' | 'message' | 'cause' | 'title' | 'fix'> }
  | { readonly id: number; readonly tooLarge: MemoryRange }

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (thrown: unknown) => void
}

/** One worker thread that encodes. Its tasks throw what the encoding throws, and UNEXPECTED where the thread ended. */
class EncodeThread {
  /** False while it starts. One that could not start is ready too: its tasks throw the reason. */
  isReady = false
  /** The work of its tasks, in blocks. */
  load = 0
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #ended: CatalogueError | null = null

  constructor() {
    // Loaded for the first of them: a small run has none.
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads')
    this.#worker = new Thread(workerEntry, { resourceLimits })
    this.#worker.on('message', (answer: AnswerMessage) => this.#receive(answer))
    this.#worker.on('messageerror', (error) => this.#end(error))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', (code) => this.#end(new Error(`an end with exit code ${code}`)))
  }

  /** Sends the plan, before any other task. */
  start(plan: CompiledEncoding, space: MemorySpace): void {
    const setReady = (): void => void (this.isReady = true)
    this.run({ kind: 'start', plan, memory: space.memory }, 0).then(setReady, setReady)
  }

  /** Gives the thread a task that amounts to `load` blocks. */
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

  /** Ends it at once. */
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

/** The failure of the thread itself: an error of a task is an answer. */
function threadEnded(error: NodeJS.ErrnoException): CatalogueError {
  const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const got = isFull ? `more than ${resourceLimits.maxOldGenerationSizeMb} MB needed for one` : error.message
  const message = `a worker thread: expected to encode its blocks, got ${got}; \`--workers 0\` runs without worker threads`
  return new CatalogueError('UNEXPECTED', message, { cause: error })
}

/**
 * A small young generation is what keeps a worker small: with 32 MB, V8's own choice, each takes 40 MB more on the
 * reference path, and with 16 MB still 15 MB more on the fast path. The old one is large enough for any block of 1 MiB,
 * a million empty objects for instance.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 1024 }

const entryName = import.meta.url.endsWith('.ts') ? 'encode-worker-source.mjs' : 'encode-worker.js'
const workerEntry = new URL(entryName, import.meta.url)
