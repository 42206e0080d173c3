import { between, childSeed } from './seed.ts'

/** Everything generated happened before this second, or ends within two years of it. Unix seconds, as all here. */
export const baseTime = 1_750_000_000

const day = 86_400
const year = 365 * day

export function createdAt(seed: number): number {
  return baseTime - 30 * day - (seed % (12 * year))
}

/** A quarter of all records was last touched in one of a few seconds, as mass updates do. */
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
