import type { Clock } from './clock.ts'

/**
 * How many requests may be sent in any minute with one key, by whoever in this process (specification: Limits). All of
 * them share one window; how full it may be, each says for itself.
 */
export interface RequestBudget {
  /**
   * Resolves when a request may be sent now: when fewer than `limit` were, by anyone, in the window that ends now.
   * First come, first served: nobody overtakes one that waits with a lower limit, which is let through once the window
   * has emptied so far, after its whole length at the latest. Rejects with the reason of `signal` once that aborts; no
   * request is counted then.
   */
  take(limit: number, signal?: AbortSignal): Promise<void>
  /** Lets no request through before `time`, in milliseconds since 1970. */
  pauseUntil(time: number): void
  /** When the oldest request of the window leaves it; now, where the window is empty. */
  roomAt(): number
}

export interface RequestBudgetOptions {
  readonly clock: Clock
  readonly windowMs?: number
}

/** Counts what was sent in any window of `windowMs`, wherever it begins: a window that slides, not one a minute. */
export function createRequestBudget({ clock, windowMs = 60_000 }: RequestBudgetOptions): RequestBudget {
  return new SlidingBudget(clock, windowMs)
}

interface Waiter {
  readonly limit: number
  readonly admit: () => void
  readonly refuse: (reason: unknown) => void
}

class SlidingBudget implements RequestBudget {
  readonly #clock: Clock
  readonly #windowMs: number
  /** When the requests of the window were let through, the oldest first. */
  readonly #sent: number[] = []
  readonly #waiting: Waiter[] = []
  #pausedUntil = 0
  /** The wait for the next slot; null while nobody waits. */
  #sleep: AbortController | null = null

  constructor(clock: Clock, windowMs: number) {
    this.#clock = clock
    this.#windowMs = windowMs
  }

  take(limit: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      // Before anything is awaited: whoever asks next must already see this request.
      if (this.#waiting.length === 0 && this.#tryTake(limit)) return resolve()
      this.#queue(limit, resolve, reject, signal)
      if (this.#sleep === null) void this.#serve()
    })
  }

  pauseUntil(time: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time)
  }

  roomAt(): number {
    const now = this.#clock.now()
    this.#forget(now)
    return this.#leavesAt(0) ?? now
  }

  #tryTake(limit: number): boolean {
    const now = this.#clock.now()
    this.#forget(now)
    if (now < this.#pausedUntil || this.#sent.length >= limit) return false
    this.#sent.push(now)
    return true
  }

  #forget(now: number): void {
    while ((this.#leavesAt(0) ?? Number.POSITIVE_INFINITY) <= now) this.#sent.shift()
  }

  /** When a request leaves the window: one millisecond late, so that no window holds more, its edges included. */
  #leavesAt(place: number): number | undefined {
    const sent = this.#sent[place]
    return sent === undefined ? undefined : sent + this.#windowMs + 1
  }

  #queue(limit: number, resolve: () => void, reject: (reason: unknown) => void, signal: AbortSignal | undefined): void {
    const leave = (): void => {
      const place = this.#waiting.indexOf(waiter)
      this.#waiting.splice(place, 1)
      // The sleep lasts until the first one may go; the next one may go earlier.
      if (place === 0) this.#sleep?.abort()
      reject(signal?.reason)
    }
    const waiter: Waiter = {
      limit,
      admit: () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      },
      refuse: (reason) => {
        signal?.removeEventListener('abort', leave)
        reject(reason)
      },
    }
    signal?.addEventListener('abort', leave, { once: true })
    this.#waiting.push(waiter)
  }

  /** Admits whoever waits, in order, for as long as somebody does. Never rejects: a clock that fails, fails them. */
  async #serve(): Promise<void> {
    const sleep = new AbortController()
    this.#sleep = sleep
    try {
      for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
        if (this.#tryTake(first.limit)) this.#waiting.shift()?.admit()
        else await this.#clock.sleep(this.#waitMs(first.limit), sleep.signal)
      }
    } catch (error) {
      // Aborted when the first one left: the others are served below.
      if (!sleep.signal.aborted) for (const waiter of this.#waiting.splice(0)) waiter.refuse(error)
    }
    this.#sleep = null
    if (this.#waiting.length > 0) void this.#serve()
  }

  #waitMs(limit: number): number {
    const now = this.#clock.now()
    const room = this.#leavesAt(this.#sent.length - limit) ?? now
    return Math.max(1, Math.ceil(Math.max(room, this.#pausedUntil) - now))
  }
}
