import { between, childSeed, seedRange, toSalt } from '../data/seed.ts'
import type { ChangeKind } from './change-log.ts'

export interface PlannedCatalogue {
  readonly size: number
  readonly isThere: (number: number) => boolean
  readonly statusOf: (number: number) => unknown
  readonly vanished: readonly number[]
}

export interface PlannedChange {
  readonly number: number
  readonly kind: ChangeKind
  readonly replacement: number | null
  /** Second of the day; negative for the day before, as a change that appears late. */
  readonly second: number
}

/**
 * Plans a day's changes of a catalogue, ordered by time. Days count from 1. The same seed, day and catalogue give the
 * same plan. 1.5 % of the products change, as many are touched, and less than 1 % come, go or change status. Every
 * tenth change or touch is followed by another on the same day. A third of all changes share one of three seconds. One
 * of these is the first of the day, which a run that starts then may or may not have read. One change in 40 is dated up
 * to 45 minutes before the day, when it could not be read yet. On days 4, 14, 24 … four fifths of the catalogue are
 * touched within one hour, 24 or more in the same second, and one in 50 of them changes.
 */
export function planDay(seed: number, day: number, catalogue: PlannedCatalogue): PlannedChange[] {
  const draw = createDraw(childSeed(childSeed(seed, planSalt), day))
  const ties = [0, between(3600, 40_000, draw()), between(40_001, 86_000, draw())]
  const planned: PlannedChange[] = []
  const taken = new Set<number>()
  const plan = (number: number, kind: ChangeKind, replacement: number | null = null): void => {
    taken.add(number)
    planned.push({ number, kind, replacement, second: toSecond(draw(), ties) })
  }
  const isFree = (number: number): boolean => catalogue.isThere(number) && !taken.has(number)
  for (const { kind, share, from } of dailyShares) {
    const fits = (number: number) => isFree(number) && (from === null || catalogue.statusOf(number) === from)
    for (let left = toCount(share * catalogue.size, draw()); left > 0; left--) {
      const number = drawNumber(catalogue.size, fits, draw)
      if (number === null) break
      const isOther = (other: number) => other !== number && isFree(other)
      const replacement = kind === 'replaced' ? drawNumber(catalogue.size, isOther, draw) : null
      // A product without a replacement becomes inactive.
      plan(number, kind === 'replaced' && replacement === null ? 'inactive' : kind, replacement)
    }
  }
  for (const number of catalogue.vanished) if (draw() < returning * seedRange) plan(number, 'returned')
  planned.push(...planSeconds(planned, draw))
  if (day % massEvery === massDay) planned.push(...planMass(catalogue.size, isFree, draw))
  for (let left = Math.max(1, toCount(coming * catalogue.size, draw())), number = catalogue.size; left > 0; left--)
    plan(number++, 'new')
  return planned.sort((left, right) => left.second - right.second || left.number - right.number)
}

/** Daily shares of all products, with the status that a product needs. */
const dailyShares: readonly { readonly kind: ChangeKind; readonly share: number; readonly from: string | null }[] = [
  { kind: 'changed', share: 0.015, from: null },
  { kind: 'touched', share: 0.015, from: null },
  { kind: 'inactive', share: 0.002, from: 'active' },
  { kind: 'replaced', share: 0.0015, from: 'active' },
  { kind: 'deleted', share: 0.001, from: 'active' },
  { kind: 'activated', share: 0.001, from: 'inactive' },
  { kind: 'vanished', share: 0.002, from: null },
]
const coming = 0.003
const returning = 0.15

const [massEvery, massDay] = [10, 4]
const massShare = 0.8
const massSeconds = 3600
const leastAtOnce = 24

const daySeconds = 86_400
const latestSeconds = 45 * 60
const planSalt = toSalt('day')

type Draw = () => number

function createDraw(seed: number): Draw {
  let drawn = 0
  return () => childSeed(seed, ++drawn)
}

function toSecond(seed: number, ties: readonly number[]): number {
  const detail = childSeed(seed, 1)
  if (seed % 40 === 0) return -between(1, latestSeconds, detail)
  return seed % 3 === 0 ? (ties[detail % ties.length] ?? 0) : detail % daySeconds
}

/** Rounds to a whole number with this mean. */
function toCount(expected: number, seed: number): number {
  return Math.floor(expected + seed / seedRange)
}

/** Draws a number that fits; null if none is found in reasonable time. */
function drawNumber(size: number, fits: (number: number) => boolean, draw: Draw): number | null {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const number = draw() % size
    if (fits(number)) return number
  }
  return null
}

const mostAttempts = 200

function planSeconds(planned: readonly PlannedChange[], draw: Draw): PlannedChange[] {
  return planned
    .filter(({ kind, second }) => (kind === 'changed' || kind === 'touched') && second >= 0 && draw() % 10 === 0)
    .filter(({ second }) => second < daySeconds - 1)
    .map(({ number, second }) => ({
      number,
      kind: draw() % 2 === 0 ? 'changed' : 'touched',
      replacement: null,
      second: between(second + 1, daySeconds - 1, draw()),
    }))
}

function planMass(size: number, isFree: (number: number) => boolean, draw: Draw): PlannedChange[] {
  const start = between(1, 21, draw()) * massSeconds
  const atOnce = Math.max(leastAtOnce, Math.ceil(size / massSeconds))
  const planned: PlannedChange[] = []
  for (let number = 0; number < size; number++) {
    if (draw() >= massShare * seedRange || !isFree(number)) continue
    const kind = draw() % 50 === 0 ? 'changed' : 'touched'
    planned.push({ number, kind, replacement: null, second: start + Math.floor(planned.length / atOnce) })
  }
  return planned
}
