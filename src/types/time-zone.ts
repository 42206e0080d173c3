/** Intl's name of a time zone, ignoring case and resolving former names; null if Intl does not know it. */
export function findTimeZone(name: string): string | null {
  // The first use of Intl loads its data, which takes 15 ms of every start; most pipelines know no other zone.
  if (name === 'UTC') return name
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** True for two names of one time zone: `Europe/Brussels` and `europe/brussels`, `UTC` and `Etc/UTC`. */
export function isSameTimeZone(a: string, b: string): boolean {
  const zone = findTimeZone(a)
  return a === b || (zone !== null && zone === findTimeZone(b))
}

/** Converts milliseconds since 1970 UTC to days since 1970 in the calendar of a time zone. */
export type ToLocalDay = (milliseconds: number) => number

const dayMs = 86_400_000
/** The most days whose offsets are cached: some 270 years. */
const mostDays = 100_000

/**
 * Compiles the local day of a time zone that Intl knows. The offset from UTC is read once for each UTC day and cached.
 * A day with a change of offset also has the time of the change, to the second. No zone has had two changes within one
 * UTC day.
 */
export function compileLocalDay(timezone: string): ToLocalDay {
  if (timezone === 'UTC') return (milliseconds) => Math.floor(milliseconds / dayMs)
  const readOffset = compileOffset(timezone)
  const days = new Map<number, DayOffsets>()

  function offsetsOf(day: number): DayOffsets {
    const known = days.get(day)
    if (known !== undefined) return known
    if (days.size >= mostDays) days.clear()
    const offsets = findOffsets(day * dayMs, readOffset)
    days.set(day, offsets)
    return offsets
  }

  return (milliseconds) => {
    const { before, changesAt, after } = offsetsOf(Math.floor(milliseconds / dayMs))
    return Math.floor((milliseconds + (milliseconds < changesAt ? before : after)) / dayMs)
  }
}

/**
 * The first millisecond of a day in a time zone's calendar. A day skipped by a change of the clock begins at that
 * change.
 */
export function findDayStart(day: number, timezone: string): number {
  const toLocalDay = compileLocalDay(timezone)
  // No zone is further than a day from UTC.
  let [before, start] = [(day - 1) * dayMs - 1000, (day + 1) * dayMs]
  while (start - before > 1000) {
    const middle = before + Math.floor((start - before) / 2000) * 1000
    if (toLocalDay(middle) >= day) start = middle
    else before = middle
  }
  return start
}

interface DayOffsets {
  readonly before: number
  readonly changesAt: number
  readonly after: number
}

type ReadOffset = (milliseconds: number) => number

function findOffsets(start: number, readOffset: ReadOffset): DayOffsets {
  const [before, after] = [readOffset(start), readOffset(start + dayMs)]
  if (before === after) return { before, changesAt: start, after }
  let [low, high] = [start, start + dayMs]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (readOffset(middle) === before) low = middle
    else high = middle
  }
  return { before, changesAt: high, after }
}

/** How many milliseconds local time is ahead of UTC, less than a day, read from the formatted local time. */
function compileOffset(timeZone: string): ReadOffset {
  const twoDigits = '2-digit'
  const clock = { day: twoDigits, hour: twoDigits, minute: twoDigits, second: twoDigits, hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...clock })
  return (milliseconds) => {
    const [day = 0, hour = 0, minute = 0, second = 0] = (format.format(milliseconds).match(/\d+/g) ?? []).map(Number)
    const start = Math.floor(milliseconds / dayMs) * dayMs
    const daysAhead = [0, 1, -1].find((days) => new Date(start + days * dayMs).getUTCDate() === day) ?? 0
    const secondsOfDay = hour * 3600 + minute * 60 + second
    return daysAhead * dayMs + secondsOfDay * 1000 - Math.floor((milliseconds - start) / 1000) * 1000
  }
}
