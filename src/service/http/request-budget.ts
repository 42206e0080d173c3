import type { Clock } from './clock.ts'

/**
 * Limits how many requests may reach the service within a minute with one key, from everything in this process
 * (specification: Limits). All callers share one window; each states how many requests it may hold.
 */
export interface RequestBudget {
  /**
   * Resolves when a request may be sent: when fewer than `limit` requests are unanswered or were answered within the
   * window that ends now. First come, first served: no caller overtakes another with a lower limit. Rejects with the
   * reason of `signal` once that aborts; the request does not count then.
   */
  take(limit: number, signal?: AbortSignal): Promise<RequestSlot>
  /** Lets no request through before `time`, in milliseconds since 1970. */
  pauseUntil(time: number): void
  /** The time when the oldest answered request leaves the window; now if there is none. */
  roomAt(): number
}

/** The place of one request in the window. It becomes free one window after the answer. */
export interface RequestSlot {
  /**
   * Must be called once the head of the answer is here or the request has failed: before that, the request may not have
   * reached the service yet. Until then the slot stays taken. Further calls do nothing.
   */
  answered(): void
}

export interface RequestBudgetOptions {
  readonly clock: Clock
  readonly windowMs?: number
}

/**
 * Creates a sliding window of `windowMs`. The service counts requests when they arrive, some time between sending and
 * answer. So a request counts from its sending until one window after its answer: of any `limit` + 1 requests, the last
 * is sent more than a window after one of the others arrived.
 */
export function createRequestBudget({ clock, windowMs = 60_000 }: RequestBudgetOptions): RequestBudget {
  return new SlidingBudget(clock, windowMs)
}

interface Waiter {
  readonly limit: number
  readonly admit: (slot: RequestSlot) => void
  readonly refuse: (reason: unknown) => void
}

class SlidingBudget implements RequestBudget {
  readonly #clock: Clock
  readonly #windowMs: number
  #unanswered = 0
  /** The times of the answers in the window, oldest first. */
  readonly #answered: number[] = []
  readonly #waiting: Waiter[] = []
  #pausedUntil = 0
  #sleep: AbortController | null = null
  /** True while only an answer can make room for the first waiter. */
  #needsAnswer = false

  constructor(clock: Clock, windowMs: number) {
    this.#clock = clock
    this.#windowMs = windowMs
  }

  take(limit: number, signal?: AbortSignal): Promise<RequestSlot> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      // Before any await: the next caller must already see this request.
      const slot = this.#waiting.length === 0 ? this.#tryTake(limit) : null
      if (slot !== null) return resolve(slot)
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

  #tryTake(limit: number): RequestSlot | null {
    const now = this.#clock.now()
    this.#forget(now)
    if (now < this.#pausedUntil || this.#unanswered + this.#answered.length >= limit) return null
    this.#unanswered++
    let isAnswered = false
    return {
      answered: () => {
        if (isAnswered) return
        isAnswered = true
        this.#unanswered--
        this.#answered.push(this.#clock.now())
        if (this.#needsAnswer) this.#sleep?.abort()
      },
    }
  }

  #forget(now: number): void {
    while ((this.#leavesAt(0) ?? Number.POSITIVE_INFINITY) <= now) this.#answered.shift()
  }

  /**
   * The time when an answered request leaves the window: one millisecond late, so that no window holds more, its edges
   * included.
   */
  #leavesAt(place: number): number | undefined {
    const answered = this.#answered[place]
    return answered === undefined ? undefined : answered + this.#windowMs + 1
  }

  #queue(
    limit: number,
    resolve: (slot: RequestSlot) => void,
    reject: (reason: unknown) => void,
    signal: AbortSignal | undefined,
  ): void {
    const leave = (): void => {
      const place = this.#waiting.indexOf(waiter)
      this.#waiting.splice(place, 1)
      // The sleep lasts until the first waiter may go; the next one may go earlier.
      if (place === 0) this.#sleep?.abort()
      reject(signal?.reason)
    }
    const waiter: Waiter = {
      limit,
      admit: (slot) => {
        signal?.removeEventListener('abort', leave)
        resolve(slot)
      },
      refuse: (reason) => {
        signal?.removeEventListener('abort', leave)
        reject(reason)
      },
    }
    signal?.addEventListener('abort', leave, { once: true })
    this.#waiting.push(waiter)
  }

  /** Admits the waiters in order until none is left. Never rejects: if the clock fails, the waiters are rejected. */
  async #serve(): Promise<void> {
    const sleep = new AbortController()
    this.#sleep = sleep
    try {
      for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
        const slot = this.#tryTake(first.limit)
        if (slot === null) await this.#untilRoom(first.limit, sleep.signal)
        else this.#waiting.shift()?.admit(slot)
      }
    } catch (error) {
      // Aborted because the first waiter left or an answer came: the waiters are served below.
      if (!sleep.signal.aborted) for (const waiter of this.#waiting.splice(0)) waiter.refuse(error)
    }
    this.#sleep = null
    this.#needsAnswer = false
    if (this.#waiting.length > 0) void this.#serve()
  }

  /** Waits until enough answered requests have left the window, or for an answer if those alone are not enough. */
  #untilRoom(limit: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const leaving = Math.max(0, this.#unanswered + this.#answered.length - limit + 1)
    this.#needsAnswer = leaving > this.#answered.length
    if (this.#needsAnswer) return aborted(signal)
    const room = this.#leavesAt(leaving - 1) ?? now
    return this.#clock.sleep(Math.max(1, Math.ceil(Math.max(room, this.#pausedUntil) - now)), signal)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
}
