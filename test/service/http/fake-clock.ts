import type { Clock } from '../../../src/service/http/clock.ts'

/** A clock that stops until nothing else is left to do, then advances to the next time that a timer waits for. */
export class FakeClock implements Clock {
  /** How long every sleep was asked to last, in the order asked. */
  readonly sleeps: number[] = []
  #now: number
  #sleepers: { readonly at: number; readonly wake: () => void }[] = []
  #isTicking = false

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(milliseconds)
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      const leave = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        reject(signal?.reason as Error)
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const sleeper = { at: this.#now + milliseconds, wake }
      signal?.addEventListener('abort', leave)
      this.#sleepers.push(sleeper)
      this.#tick()
    })
  }

  /** After everything that is ready now has run. */
  #tick(): void {
    if (this.#isTicking) return
    this.#isTicking = true
    setImmediate(() => {
      this.#isTicking = false
      const [next] = this.#sleepers.toSorted((a, b) => a.at - b.at)
      if (next === undefined) return
      this.#sleepers = this.#sleepers.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.wake()
      if (this.#sleepers.length > 0) this.#tick()
    })
  }
}
