import { Piscina } from 'piscina'
import { CatalogueError } from '../errors.ts'
import type { Block } from '../records/block.ts'
import type { RepeatedLines } from '../records/block-outcome.ts'
import type { CompiledEncoding, EncodedBlock } from './encoding-plan.ts'
import type { EncodeGroup } from './encode-group.ts'
import type { EncodeAnswer, EncodedAnswer, EncodeTask } from './encode-worker.ts'

/**
 * Worker threads that encode. A block's buffer is lent to them until they answer, row groups are taken away from this
 * thread. They throw what the encoding throws, and
 * UNEXPECTED where a thread ended instead.
 */
export interface EncodePool {
  /** False while the threads start. */
  readonly isReady: boolean
  /** Whether a thread could run out of work without another block. */
  readonly isHungry: boolean
  encodeBlock(block: Block, repeated?: RepeatedLines): Promise<EncodedBlock>
  readonly encodeGroup: EncodeGroup
  /** Ends the threads, whatever they do. */
  close(): Promise<void>
}

/** A thread is given `blocksAWorker` blocks at a time. */
export function openEncodePool(plan: CompiledEncoding, workers: number, blocksAWorker: number): EncodePool {
  const pool = new Piscina({
    filename: workerEntry.href,
    name: 'encodeTask',
    minThreads: workers,
    maxThreads: workers,
    concurrentTasksPerWorker: blocksAWorker,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits,
    recordTiming: false,
    workerData: plan,
  })
  const failure = new PoolFailure(pool)
  let tasks = 0

  async function run<Result>(task: EncodeTask, transferList: ArrayBuffer[] = []): Promise<Result> {
    // A row group takes as long as many blocks.
    const share = task.kind === 'group' ? blocksAWorker : 1
    tasks += share
    try {
      const running = pool.run(task, { transferList }) as Promise<EncodeAnswer<Result>>
      const answer = await failure.orResult(running).catch(throwThreadEnded)
      if ('result' in answer) return answer.result
      const { code, message, cause } = answer.failure
      throw new CatalogueError(code, message, { cause })
    } finally {
      tasks -= share
    }
  }

  let isReady = false
  async function start(): Promise<void> {
    // Why one can't start is told by the tasks that it gets.
    await Promise.allSettled(Array.from({ length: workers }, () => run({ kind: 'start' })))
    isReady = true
  }
  void start()
  return {
    get isReady() {
      return isReady
    },
    get isHungry() {
      return tasks < blocksAWorker * workers
    },
    async encodeBlock({ release, ...block }, repeated) {
      const transferList = release === undefined ? [] : [block.bytes.buffer as ArrayBuffer]
      const { encoded, buffer } = await run<EncodedAnswer>({ kind: 'block', block, repeated }, transferList)
      release?.(buffer)
      return encoded
    },
    encodeGroup: (file, group) =>
      run(
        { kind: 'group', file, group },
        group.pieces.map(({ buffer }) => buffer as ArrayBuffer),
      ),
    close: () => pool.destroy(),
  }
}

/** The failure of a thread, which fails every task. A promise to race with would keep every result that it met. */
class PoolFailure {
  readonly #waiting = new Set<(thrown: unknown) => void>()
  #failed: { readonly thrown: unknown } | null = null

  constructor(pool: Piscina) {
    pool.on('error', (thrown) => {
      this.#failed ??= { thrown }
      for (const reject of this.#waiting) reject(thrown)
    })
  }

  /** The result, or the failure where that comes first. */
  orResult<Result>(result: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject: (thrown: unknown) => void) => {
      const settle = (end: () => void): void => {
        this.#waiting.delete(reject)
        end()
      }
      this.#waiting.add(reject)
      if (this.#failed !== null) reject(this.#failed.thrown)
      result.then(
        (value) => settle(() => resolve(value)),
        (thrown: unknown) => settle(() => reject(thrown)),
      )
    })
  }
}

/** Whatever a task throws is an answer: this is about the thread. */
function throwThreadEnded(error: NodeJS.ErrnoException): never {
  const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const got = isFull ? `more than ${resourceLimits.maxOldGenerationSizeMb} MB needed for one` : error.message
  const message = `a worker thread: expected to encode its blocks, got ${got}; \`--workers 0\` runs without worker threads`
  throw new CatalogueError('UNEXPECTED', message, { cause: error })
}

/**
 * A small young generation is what keeps a worker small: with 32 MB, V8's own choice, each takes 40 MB more on the plain
 * way, and with 16 MB still 15 MB more on the fast one. The old one is large enough for whatever a block of 1 MiB may hold, a million empty objects for instance.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 1024 }

const entryName = import.meta.url.endsWith('.ts') ? 'encode-worker-source.mjs' : 'encode-worker.js'
const workerEntry = new URL(entryName, import.meta.url)
