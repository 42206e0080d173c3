import type { Clock } from './clock.ts'

/** How many requests may be sent in any minute; one for all sources of a process (specification: Limits). */
export interface RequestBudget {
  /**
   * Resolves when a request may be sent now, first come, first served. Rejects with the reason of `signal` once that
   * aborts; no request is counted then.
   */
  take(signal?: AbortSignal): Promise<void>
  /** Lets no request through before `time`, in milliseconds since 1970. */
  pauseUntil(time: number): void
  /** When the oldest request of the window leaves it; now, where the window is empty. */
  roomAt(): number
}

export interface RequestBudgetOptions {
  readonly clock: Clock
  readonly requests?: number
  readonly windowMs?: number
}

/** At most `requests` in any window of `windowMs`, wherever it begins: a window that slides, not one a minute. */
export function createRequestBudget({ clock, requests = 100, windowMs = 60_000 }: RequestBudgetOptions): RequestBudget {
  return new SlidingBudget(clock, requests, windowMs)
}

interface Waiter {
  readonly admit: () => void
  readonly refuse: (reason: unknown) => void
}

class SlidingBudget implements RequestBudget {
  readonly #clock: Clock
  readonly #requests: number
  readonly #windowMs: number
  /** When the last requests were let through, the oldest first; never more than `requests`. */
  readonly #sent: number[] = []
  readonly #waiting: Waiter[] = []
  #pausedUntil = 0
  /** The wait for the next slot; null while nobody waits. */
  #sleep: AbortController | null = null

  constructor(clock: Clock, requests: number, windowMs: number) {
    this.#clock = clock
    this.#requests = requests
    this.#windowMs = windowMs
  }

  take(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      // Before anything is awaited: whoever asks next must already see this request.
      if (this.#waiting.length === 0 && this.#tryTake()) return resolve()
      this.#queue(resolve, reject, signal)
      if (this.#sleep === null) void this.#serve()
    })
  }

  pauseUntil(time: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time)
  }

  roomAt(): number {
    const now = this.#clock.now()
    this.#forget(now)
    return this.#leavesAt(now)
  }

  #tryTake(): boolean {
    const now = this.#clock.now()
    this.#forget(now)
    if (now < this.#pausedUntil || this.#sent.length >= this.#requests) return false
    this.#sent.push(now)
    return true
  }

  #forget(now: number): void {
    while (this.#leavesAt(Number.POSITIVE_INFINITY) <= now) this.#sent.shift()
  }

  /** One millisecond later than the window ends, so that no window holds more, its edges included. */
  #leavesAt(whenEmpty: number): number {
    const [oldest] = this.#sent
    return oldest === undefined ? whenEmpty : oldest + this.#windowMs + 1
  }

  #queue(resolve: () => void, reject: (reason: unknown) => void, signal: AbortSignal | undefined): void {
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      if (this.#waiting.length === 0) this.#sleep?.abort()
      reject(signal?.reason)
    }
    const waiter: Waiter = {
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
      while (this.#waiting.length > 0) {
        if (this.#tryTake()) this.#waiting.shift()?.admit()
        else await this.#clock.sleep(this.#waitMs(), sleep.signal)
      }
    } catch (error) {
      // Aborted when the last one left: whoever came since then is served below.
      if (!sleep.signal.aborted) for (const waiter of this.#waiting.splice(0)) waiter.refuse(error)
    }
    this.#sleep = null
    if (this.#waiting.length > 0) void this.#serve()
  }

  #waitMs(): number {
    const now = this.#clock.now()
    const room = this.#sent.length < this.#requests ? now : this.#leavesAt(now)
    return Math.max(1, Math.ceil(Math.max(room, this.#pausedUntil) - now))
  }
}
