import { Duplex } from 'node:stream'
import { callbackify, promisify, types } from 'node:util'
import type { Completeness } from '../manifest/manifest.ts'
import { type Judged, verdictOf } from '../sources/completeness.ts'
import type { CatalogueError } from '../errors.ts'
import { misusedBy } from '../check-options.ts'

/** The work of a stage. An error that it throws destroys the stream. */
export interface StageSteps<In, Out> {
  /** Gives the results of one item. The next result is read only when there is room for it. */
  readonly take: (item: In) => Results<Out>
  /** Gives the last results, at the end of the input. Gets the verdict of its source, if that has one. */
  readonly end?: (given: Completeness | null) => Results<Out>
  /** Releases resources. Called once, if the stream is destroyed before its end. */
  readonly abort?: () => Promise<void>
  /** The side that is bytes instead of objects: the input or the output. */
  readonly bytes?: 'taken' | 'given'
}

/** Results of one item. A stage that waits between results gives them in several pieces. */
export type Results<Out> = Iterable<Out> | Promise<Iterable<Out>> | AsyncIterable<Iterable<Out>>

type Done = (error?: Error | null) => void

/**
 * One step of a `pipeline()`: a Node stream of objects that transforms what is written to it. It takes no more input
 * until its output is wanted, not even within the results of one item, where a Transform would continue. It is for one
 * pipeline: another one is refused at once, where Node would lose what is written, or hang.
 */
export class Stage<In, Out> extends Duplex implements Judged {
  readonly #steps: StageSteps<In, Out>
  readonly #sources: unknown[] = []
  #piped = 0
  #resume: (() => void) | null = null
  #hasEnded = false

  constructor(steps: StageSteps<In, Out>) {
    super({ writableObjectMode: steps.bytes !== 'taken', readableObjectMode: steps.bytes !== 'given' })
    this.#steps = steps
    this.on('pipe', (source) => {
      this.#sources.push(source)
      if (++this.#piped > 1 || this.#hasEnded || this.destroyed) this.#refuse()
    })
    this.on('unpipe', () => void this.#piped--)
  }

  /** For Node's types, in which streams between others give bytes or text; an iteration takes the last one. */
  override [Symbol.asyncIterator]<Chunk extends string | Buffer>(): NodeJS.AsyncIterator<Chunk>
  override [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out>
  override [Symbol.asyncIterator](): NodeJS.AsyncIterator<Out> {
    return super[Symbol.asyncIterator]() as NodeJS.AsyncIterator<Out>
  }

  items(): AsyncIterable<Out> {
    if (this.readableEnded) throw used()
    return this
  }

  /** The verdict of the stream that is piped into it, as stages pass on every line and record. */
  [verdictOf](): Completeness | null {
    const [source, ...others] = this.#sources as Partial<Judged>[]
    return others.length > 0 ? null : (source?.[verdictOf]?.() ?? null)
  }

  override write(item: unknown, done?: Done): boolean
  override write(item: unknown, encoding: BufferEncoding, done?: Done): boolean
  /** What is iterated in a pipeline, such as a generator, is written without a `pipe` event. */
  override write(item: unknown, encoding?: BufferEncoding | Done, done?: Done): boolean {
    if (!this.#hasEnded) return super.write(item, encoding as BufferEncoding, done)
    this.#refuse()
    return false
  }

  override _write(item: In, _encoding: BufferEncoding, done: Done): void {
    this.#perform(() => this.#steps.take(item), done)
  }

  override _final(done: Done): void {
    const { end = nothing } = this.#steps
    this.#perform(
      () => end(this[verdictOf]()),
      (error) => {
        if (error) return done(error)
        this.#hasEnded = true
        this.push(null)
        done()
      },
    )
  }

  override _read(): void {
    const resume = this.#resume
    this.#resume = null
    resume?.()
  }

  override _destroy(error: Error | null, done: Done): void {
    const { abort } = this.#steps
    if (abort === undefined || this.#hasEnded) done(error)
    else callbackify(abort)((thrown) => done(error ?? thrown))
  }

  /** Later, as a pipeline that is being made listens to errors only then. */
  #refuse(): void {
    process.nextTick(() => {
      if (this.destroyed) this.emit('error', used())
      else this.destroy(used())
    })
  }

  #perform(step: () => Results<Out>, done: Done): void {
    let results
    try {
      results = step()
    } catch (error) {
      done(error as Error)
      return
    }
    if (types.isPromise(results)) results.then((items) => this.#give(items[Symbol.iterator](), done), done)
    else if (Symbol.iterator in results) this.#give(results[Symbol.iterator](), done)
    else callbackify(() => this.#givePieces(results))(done)
  }

  async #givePieces(pieces: AsyncIterable<Iterable<Out>>): Promise<void> {
    const give = promisify((piece: Iterable<Out>, done: Done) => this.#give(piece[Symbol.iterator](), done))
    for await (const piece of pieces) await give(piece)
  }

  #give(results: Iterator<Out>, done: Done): void {
    try {
      for (let next = results.next(); next.done !== true; next = results.next()) {
        if (this.push(next.value)) continue
        this.#resume = () => this.#give(results, done)
        return
      }
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}

function used(): CatalogueError {
  return misusedBy('a stage', 'to be in one pipeline, made for it', 'one that is or was in another')
}

const nothing = (): readonly never[] => []
