export interface RateLimit {
  /** Counts a request. If it is one too many, does not count it and returns the seconds to wait. */
  readonly take: () => number | undefined
}

const windowMs = 60_000

/** Limits the requests in any 60 seconds (specification: Limits). */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  let taken: number[] = []
  return {
    take() {
      const at = now()
      taken = taken.filter((time) => time > at - windowMs)
      const [oldest] = taken
      if (taken.length >= perMinute && oldest !== undefined) return Math.ceil((oldest + windowMs - at) / 1000)
      taken.push(at)
      return undefined
    },
  }
}
