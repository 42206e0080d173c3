import { env } from 'node:process'

/*
 * How much tests do. `npm test`, which is to end in minutes, does every kind of thing, but for what takes half a minute:
 * clusters and programs of others, and the compiler of WebAssembly. `npm run test:deep`, which CI runs, does most of that as
 * well, and most ways to do the same. `npm run test:full` does all, also what takes a minute, and repeats what is killed, drawn
 * at random or generated as often as is worth a wait of an hour or two. They set CATALOGUE_TEST_DEPTH to `deep` and `full`.
 *
 *   import { cases, depth, isDeep } from '../depth.ts'
 *   fc.assert(property, { numRuns: cases(1000) })     1000 in full, otherwise 100
 *   fc.assert(costlyProperty, { numRuns: cases(20, 3) })     20 in full, otherwise 3
 *   for (let night = 0; night < depth.nights; night++) …
 *
 * Only tests import it (`*.test.ts`) and hand the numbers to what they share.
 */
const names = ['quick', 'deep', 'full']
const { CATALOGUE_TEST_DEPTH: name = 'quick' } = env
if (!names.includes(name)) throw new Error(`CATALOGUE_TEST_DEPTH: expected ${names.join(', ')}, got "${name}"`)

/** True in full depth: everything is repeated as often as is worth waiting for. */
export const isFull = name === 'full'
/** True in full depth and in CI: what takes half a minute is done, too. */
export const isDeep = name !== 'quick'

/** Repetitions that cost seconds. */
export const depth = {
  /** Runs of the command that are killed, in all. */
  kills: cases(30, 6),
  /** Nights in which a catalogue changes and is loaded again. */
  nights: cases(16, 3),
}

/** All ways to do the same if tests are deep or full; by default those few that stand for the others. */
export function someOf<Way>(all: readonly Way[], ...few: readonly NoInfer<Way>[]): readonly Way[] {
  return isDeep ? all : few
}

/** All ways if tests are full: for those that take many seconds each. */
export function fewOf<Way>(all: readonly Way[], ...few: readonly NoInfer<Way>[]): readonly Way[] {
  return isFull ? all : few
}

/** Number of repetitions: unless the tests are full, a tenth, but no fewer than 10. */
export function cases(full: number, quick = Math.min(full, Math.max(10, Math.ceil(full / 10)))): number {
  return isFull ? full : quick
}

/** Of many moments or kinds every nth is tried: every one in full. */
export function stride(quick: number): number {
  return isFull ? 1 : quick
}
