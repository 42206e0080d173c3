import type { Worker } from 'node:worker_threads'
import { CatalogueError } from '../../errors.ts'
import type { MemorySpace } from '../../records/memory/memory-space.ts'
import { BlockTooLarge } from './encode-block.ts'
import type { AnswerMessage, EncodeTask, TaskMessage } from './encode-task.ts'
import type { CompiledEncoding } from './encoding-plan.ts'
import { startWorker } from './start-worker.ts'

/**
 * What one run has of a worker thread that it shares with others. Tasks throw what the encoding throws, and UNEXPECTED if
 * the thread, or the run, has ended.
 */
export class EncodeThread {
  /** False while it starts. A thread that failed to start is ready too: its tasks throw the reason. */
  isReady = false
  readonly #worker: SharedWorker
  readonly #run: number

  private constructor(worker: SharedWorker) {
    this.#worker = worker
    this.#run = worker.enter()
  }

  /** Of the worker with the fewest runs that is not among `others`; starts one if there is none. */
  static open(others: readonly EncodeThread[], plan: CompiledEncoding, space: MemorySpace): EncodeThread {
    const taken = new Set(others.map((other) => other.#worker))
    const [idlest] = sharedWorkers
      .filter((worker) => !taken.has(worker) && worker.takesRuns)
      .toSorted((a, b) => a.runs - b.runs)
    const thread = new EncodeThread(idlest ?? new SharedWorker())
    const setReady = (): void => void (thread.isReady = true)
    thread.run({ kind: 'start', plan, memory: space.memory }, 0).then(setReady, setReady)
    return thread
  }

  /** What the worker has to do for all runs. */
  get load(): number {
    return this.#worker.load
  }

  run<Result>(task: EncodeTask, load: number): Promise<Result> {
    return this.#worker.perform(this.#run, task, load)
  }

  /** Its tasks under way are given up. A worker ends with its last run. */
  close(): Promise<void> {
    return this.#worker.leave(this.#run)
  }
}

/** The workers of this process that have not ended. */
const sharedWorkers: SharedWorker[] = []

interface Waiting {
  readonly run: number
  readonly resolve: (result: unknown) => void
  readonly reject: (thrown: unknown) => void
}

class SharedWorker {
  load = 0
  readonly #worker: Worker
  readonly #runs = new Set<number>()
  readonly #waiting = new Map<number, Waiting>()
  #entered = 0
  #asked = 0
  #ended: CatalogueError | null = null

  constructor() {
    this.#worker = startWorker(resourceLimits)
    this.#worker.on('message', (answer: AnswerMessage) => this.#receive(answer))
    this.#worker.on('messageerror', (error) => this.#end(error))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', (code) => this.#end(new Error(`an end with exit code ${code}`)))
    sharedWorkers.push(this)
  }

  get runs(): number {
    return this.#runs.size
  }

  get takesRuns(): boolean {
    return this.#entered < mostRuns
  }

  enter(): number {
    this.#runs.add(++this.#entered)
    return this.#entered
  }

  async leave(run: number): Promise<void> {
    if (!this.#runs.delete(run)) return
    this.#abandon(threadEnded(new Error('the end of the run')), (waiting) => waiting.run === run)
    if (this.#runs.size > 0) return this.#send({ id: this.#asked++, run, task: { kind: 'end' } })
    this.#forget()
    await this.#worker.terminate()
  }

  async perform<Result>(run: number, task: EncodeTask, load: number): Promise<Result> {
    if (this.#ended !== null) throw this.#ended
    if (!this.#runs.has(run)) throw threadEnded(new Error('the end of the run'))
    const id = this.#asked++
    this.#send({ id, run, task })
    this.load += load
    try {
      return await new Promise((resolve: (result: Result) => void, reject) => {
        this.#waiting.set(id, { run, resolve: resolve as Waiting['resolve'], reject })
      })
    } finally {
      this.load -= load
    }
  }

  #send(message: TaskMessage): void {
    this.#worker.postMessage(message, [])
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
    this.#forget()
    this.#ended ??= threadEnded(error)
    this.#abandon(this.#ended, () => true)
  }

  #abandon(error: CatalogueError, isAbandoned: (waiting: Waiting) => boolean): void {
    for (const [id, waiting] of this.#waiting) {
      if (!isAbandoned(waiting)) continue
      this.#waiting.delete(id)
      waiting.reject(error)
    }
  }

  #forget(): void {
    const at = sharedWorkers.indexOf(this)
    if (at >= 0) sharedWorkers.splice(at, 1)
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

/**
 * A worker that had this many runs gets no others, so that it ends: it lets the memories of ended runs go only when it
 * collects garbage, of which it makes little.
 */
const mostRuns = 16
