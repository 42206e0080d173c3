/**
 * The phases of a run, in this order. `merge`: files are compared with those that are there; `load`: rows are put in place in
 * databases; `commit`: databases commit them, once the manifest is written; `publish`: files are put in place.
 */
export const phases = ['start', 'fetch', 'transform', 'merge', 'load', 'commit', 'publish'] as const
export type Phase = (typeof phases)[number]

/** The point at which a run is killed. */
export type KillPoint =
  /** After such a share of the life of a run that nobody disturbs. */
  | { readonly at: 'time'; readonly share: number }
  /** Milliseconds after the service has fallen silent in its answer. */
  | { readonly at: 'answer'; readonly fault: string; readonly delayMs: number }
  /** At a share of the steps of a phase: before the step, or some milliseconds after it began. */
  | { readonly at: 'step'; readonly phase: Phase; readonly share: number; readonly afterMs: number | null }

/** The events of one night. */
export interface Night {
  readonly number: number
  /** It begins with nothing published. */
  readonly isFirst: boolean
  readonly days: number
  readonly isFull: boolean
  /** One for every run that is killed before one ends well. */
  readonly moments: readonly KillPoint[]
}

/** The same night for the same words. */
export function planNight(seed: number, target: string, number: number): Night {
  const random = createRandom(`${seed} ${target} ${number}`)
  const isFirst = number % nightsOfAFolder === 0
  const days = 1 + Math.floor(3 * random())
  const isFull = random() < 0.3
  const kills = 1 + Math.floor(2.2 * random() ** 2)
  const moments = Array.from({ length: kills }, (_, kill) => chooseMoment(number + 3 * kill, isFirst || isFull, random))
  return { number, isFirst, days, isFull, moments }
}

/** A seventh of the nights begin anew: no divisor of the number of kinds, so that every kind of kill point meets them. */
const nightsOfAFolder = 7

const kinds = [
  'time',
  'load',
  'publish',
  'answer',
  'commit',
  'merge',
  'start',
  'time',
  'transform',
  'publish',
  'load',
  'commit',
  'time',
] as const

function chooseMoment(number: number, isLong: boolean, random: () => number): KillPoint {
  const kind = kinds[number % kinds.length] ?? 'time'
  if (kind === 'time') return { at: 'time', share: random() }
  if (kind === 'answer') {
    // A delta has a record at least.
    const faults = ['stall', 'stall=0', 'stall=0.5', 'stall=1', ...(isLong ? ['stall=20', 'stall=50.5'] : [])]
    return { at: 'answer', fault: faults[Math.floor(random() * faults.length)] ?? 'stall', delayMs: 20 * random() }
  }
  const afterMs = random() < 0.5 ? null : 8 * random() ** 2
  return { at: 'step', phase: kind, share: random(), afterMs }
}

/** Random numbers from 0 to 1, the same for the same words. */
export function createRandom(words: string): () => number {
  let state = 0
  for (const letter of words) state = (Math.imul(state ^ letter.charCodeAt(0), 0x01_00_01_93) + 0x9e_37_79_b9) >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
