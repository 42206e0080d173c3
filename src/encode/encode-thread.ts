import { Worker } from 'node:worker_threads'
import { CatalogueError } from '../errors.ts'
import type { CompiledEncoding } from './encoding-plan.ts'
import type { AnswerMessage, EncodeTask, TaskMessage } from './encode-messages.ts'

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (thrown: unknown) => void
}

/** One worker thread that encodes. Its tasks throw what the encoding throws, and UNEXPECTED where the thread ended. */
export class EncodeThread {
  /** False while it starts. One that could not start is ready too: its tasks tell why. */
  isReady = false
  /** What its tasks amount to, in blocks. */
  load = 0
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #ended: CatalogueError | null = null

  constructor() {
    this.#worker = new Worker(workerEntry, { resourceLimits })
    this.#worker.on('message', (answer: AnswerMessage) => this.#settle(answer))
    this.#worker.on('messageerror', (error) => this.#end(error))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', (code) => this.#end(new Error(`an end with exit code ${code}`)))
  }

  /** Before any other task. */
  start(plan: CompiledEncoding): void {
    const setReady = (): void => void (this.isReady = true)
    this.run({ kind: 'start', plan }, 0).then(setReady, setReady)
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

  /** Ends it, whatever it does. */
  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(answer: AnswerMessage): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('result' in answer) return waiting?.resolve(answer.result)
    const { code, message, cause } = answer.failure
    waiting?.reject(new CatalogueError(code, message, { cause }))
  }

  #end(error: NodeJS.ErrnoException): void {
    const ended = (this.#ended ??= threadEnded(error))
    for (const { reject } of this.#waiting.values()) reject(ended)
    this.#waiting.clear()
  }
}

/** Whatever a task throws is an answer: this is about the thread. */
function threadEnded(error: NodeJS.ErrnoException): CatalogueError {
  const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const got = isFull ? `more than ${resourceLimits.maxOldGenerationSizeMb} MB needed for one` : error.message
  const message = `a worker thread: expected to encode its blocks, got ${got}; \`--workers 0\` runs without worker threads`
  return new CatalogueError('UNEXPECTED', message, { cause: error })
}

/**
 * A small young generation is what keeps a worker small: with 32 MB, V8's own choice, each takes 40 MB more on the plain
 * way, and with 16 MB still 15 MB more on the fast one. The old one is large enough for whatever a block of 1 MiB may hold, a million empty objects for instance.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 1024 }

const entryName = import.meta.url.endsWith('.ts') ? 'encode-worker-source.mjs' : 'encode-worker.js'
const workerEntry = new URL(entryName, import.meta.url)
