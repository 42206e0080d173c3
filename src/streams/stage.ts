import { Duplex } from 'node:stream'
import { callbackify, promisify, types } from 'node:util'

/** The work of a stage. An error that it throws destroys the stream. */
export interface StageSteps<In, Out> {
  /** Gives the results of one item. The next result is read only when there is room for it. */
  readonly take: (item: In) => Results<Out>
  /** Gives the last results, at the end of the input. */
  readonly end?: () => Results<Out>
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
 * until its output is wanted, not even within the results of one item, where a Transform would continue.
 */
export class Stage<In, Out> extends Duplex {
  readonly #steps: StageSteps<In, Out>
  #resume: (() => void) | null = null
  #hasEnded = false

  constructor(steps: StageSteps<In, Out>) {
    super({ writableObjectMode: steps.bytes !== 'taken', readableObjectMode: steps.bytes !== 'given' })
    this.#steps = steps
  }

  items(): AsyncIterable<Out> {
    return this
  }

  override _write(item: In, _encoding: BufferEncoding, done: Done): void {
    this.#perform(() => this.#steps.take(item), done)
  }

  override _final(done: Done): void {
    const { end = nothing } = this.#steps
    this.#perform(end, (error) => {
      if (error) return done(error)
      this.#hasEnded = true
      this.push(null)
      done()
    })
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

const nothing = (): readonly never[] => []
