import type { Problem } from './problem.ts'

/** A value without its faulty parts, and the way back from a place in it to the place in the whole value. */
export interface Pruned {
  readonly value: unknown
  readonly toOriginal: (path: Problem['path']) => Problem['path']
}

type Path = Problem['path']

/**
 * Leaves out every part with a problem, so that the rest can still be checked and all problems are found at once. If
 * something is missing, the value that lacks it is left out.
 */
export function prune(value: unknown, problems: readonly Problem[]): Pruned {
  const faulty = new Set(problems.map(({ path }) => JSON.stringify(exists(value, path) ? path : path.slice(0, -1))))
  const keptIndexes = new Map<string, readonly number[]>()
  return {
    value: withoutFaulty(value, [], [], faulty, keptIndexes),
    toOriginal: (path) =>
      path.map((step, depth) => {
        const kept = keptIndexes.get(JSON.stringify(path.slice(0, depth)))
        return kept === undefined ? step : (kept[Number(step)] ?? step)
      }),
  }
}

function withoutFaulty(
  value: unknown,
  original: Path,
  pruned: Path,
  faulty: ReadonlySet<string>,
  keptIndexes: Map<string, readonly number[]>,
): unknown {
  const isFaulty = (step: string | number): boolean => faulty.has(JSON.stringify([...original, step]))
  if (Array.isArray(value)) {
    const kept = [...value.keys()].filter((index) => !isFaulty(index))
    keptIndexes.set(JSON.stringify(pruned), kept)
    return kept.map((index, place) =>
      withoutFaulty(value[index], [...original, index], [...pruned, place], faulty, keptIndexes),
    )
  }
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !isFaulty(key))
  return Object.fromEntries(
    kept.map(([key, member]) => [
      key,
      withoutFaulty(member, [...original, key], [...pruned, key], faulty, keptIndexes),
    ]),
  )
}

export function exists(value: unknown, path: Path): boolean {
  const [step, ...rest] = path
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false
  return exists((value as Record<string | number, unknown>)[step], rest)
}
