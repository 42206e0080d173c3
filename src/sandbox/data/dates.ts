import { between, childSeed } from './seed.ts'

/** Unix seconds, as all times here. All generated events are before it or end within two years of it. */
export const baseTime = 1_750_000_000

const day = 86_400
const year = 365 * day

export function createdAt(seed: number): number {
  return baseTime - 30 * day - (seed % (12 * year))
}

/** A quarter of all records were last changed in one of a few seconds, as in mass updates. */
export function updatedAt(seed: number): number {
  if (seed % 4 === 0) return baseTime - (seed % 5) * day
  const created = createdAt(seed)
  return created + (childSeed(seed, 1) % (baseTime - created))
}

export function startOf(seed: number): number {
  return baseTime - (seed % year)
}

export function endOf(seed: number): number {
  return startOf(seed) + day * between(1, 700, childSeed(seed, 1))
}
