import { env } from 'node:process'

/*
 * How often tests repeat what they kill, draw at random or generate: few times in `npm test`, which is to end in minutes,
 * several times as often in `npm run test:deep`, which CI runs, and as often as is worth a wait of an hour or more in
 * `npm run test:full`. They set CATALOGUE_TEST_DEPTH to `deep` and `full`.
 *
 *   import { cases, depth, isDeep } from '../depth.ts'
 *   fc.assert(property, { numRuns: cases(1000) })     1000 in full, 316 deep, 100 by default
 *   fc.assert(costlyProperty, { numRuns: cases(20, 3) })     20 in full, 8 deep, 3 by default
 *   for (let night = 0; night < depth.nights; night++) …
 *
 * Only tests import it (`*.test.ts`) and hand the numbers to what they share. Every kind of test runs at each depth, only
 * repeated less, but for what takes half a minute: clusters and programs of others, and the compiler of WebAssembly (`isDeep`).
 */
const names = ['quick', 'deep', 'full']
const { CATALOGUE_TEST_DEPTH: name = 'quick' } = env
if (!names.includes(name)) throw new Error(`CATALOGUE_TEST_DEPTH: expected ${names.join(', ')}, got "${name}"`)

/** True in full depth: everything is repeated as often as is worth waiting for. */
export const isFull = name === 'full'
/** True in full depth and in CI: everything is done at least once. */
export const isDeep = name !== 'quick'

/** Repetitions that cost seconds. */
export const depth = {
  /** Runs of the command that are killed, in all. */
  kills: cases(30, 6),
  /** Nights in which a catalogue changes and is loaded again. */
  nights: cases(16, 3),
}

/** All ways to do the same if tests are deep; by default those few that stand for the others. */
export function someOf<Way>(all: readonly Way[], ...few: readonly NoInfer<Way>[]): readonly Way[] {
  return isDeep ? all : few
}

/** Number of repetitions: a tenth by default, but no fewer than 10; if deep, the geometric mean of both. */
export function cases(full: number, quick = Math.min(full, Math.max(10, Math.ceil(full / 10)))): number {
  if (name === 'deep') return Math.round(Math.sqrt(full * quick))
  return isDeep ? full : quick
}

/** Of many moments or kinds every nth is tried: n is `quick` by default, 1 in full, the square root of `quick` if deep. */
export function stride(quick: number): number {
  if (isFull) return 1
  return isDeep ? Math.round(Math.sqrt(quick)) : quick
}
