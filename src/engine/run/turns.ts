export interface TurnOptions {
  readonly signal: AbortSignal
  /** A number that changes as the run reads. */
  readonly progress: () => number
}

interface Holder {
  readonly progress: () => number
  seen: number
  isStalled: boolean
}

/**
 * Turns at reading for the runs of a process, so that memory is bounded by the runs that read and not by those that have
 * begun. A run that makes no progress, as its source is slow or waits for another run, does not count meanwhile: no turn is
 * waited for without end.
 */
export class Turns {
  readonly #most: number
  readonly #holders = new Set<Holder>()
  readonly #waiting = new Map<Holder, () => void>()
  #timer: NodeJS.Timeout | undefined

  constructor(most = mostReading) {
    this.#most = most
  }

  /**
   * Resolves in the order of the calls, to a function that gives the turn back. If `signal` aborts, it resolves at once,
   * without a turn: the reading ends by itself.
   */
  async take({ signal, progress }: TurnOptions): Promise<() => void> {
    const holder = { progress, seen: progress(), isStalled: false }
    const giveBack = (): void => this.#giveBack(holder)
    if (this.#waiting.size === 0 && this.#free > 0) this.#holders.add(holder)
    else await this.#wait(holder, signal, giveBack)
    return giveBack
  }

  async #wait(holder: Holder, signal: AbortSignal, giveBack: () => void): Promise<void> {
    signal.addEventListener('abort', giveBack)
    await new Promise<void>((resolve) => {
      this.#waiting.set(holder, resolve)
      if (signal.aborted) giveBack()
      else this.#watch()
    })
    signal.removeEventListener('abort', giveBack)
  }

  #giveBack(holder: Holder): void {
    const abandon = this.#waiting.get(holder)
    this.#waiting.delete(holder)
    this.#holders.delete(holder)
    abandon?.()
    this.#admit()
  }

  get #free(): number {
    return this.#most - [...this.#holders].filter(({ isStalled }) => !isStalled).length
  }

  #admit(): void {
    for (const [holder, begin] of this.#waiting) {
      if (this.#free <= 0) break
      this.#waiting.delete(holder)
      this.#holders.add(holder)
      begin()
    }
    this.#watch()
  }

  /** Looks after the runs only while another one waits. */
  #watch(): void {
    if (this.#waiting.size > 0) return void (this.#timer ??= setInterval(() => this.#look(), stalledMs))
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    for (const holder of this.#holders) {
      const now = holder.progress()
      holder.isStalled = now === holder.seen
      holder.seen = now
    }
    this.#admit()
  }
}

/** One thread reads and writes for all runs, and is busy with fewer. */
const mostReading = 8
const stalledMs = 5000

/** Those of this process. */
export const turns = new Turns()
