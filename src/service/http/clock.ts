import { setTimeout as wait } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since 1970. It never goes backwards. */
  now(): number
  /** Resolves after that time; rejects once `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** Follows the monotonic clock: setting the machine's time neither opens nor closes the request budget. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(milliseconds, signal) {
    await wait(Math.min(Math.max(0, milliseconds), longestTimer), undefined, signal === undefined ? {} : { signal })
  },
}

/** Node's timers fire at once if they are set for longer. */
const longestTimer = 2 ** 31 - 1
