import { problemAt, type Problem } from './problem.ts'

export interface CheckedTree {
  /** Without what no config can have: keys that are no plain names. Null where it can't be walked through. */
  readonly value: unknown
  readonly problems: readonly Problem[]
}

/** Checks that a value is a tree of bearable depth, so that everything after this may walk through it. */
export function checkTree(value: unknown): CheckedTree {
  const problems: Problem[] = []
  const bounded = walk(value, [], new Set(), problems)
  const isTree = problems.every(({ atKey }) => atKey)
  return { value: isTree ? bounded : null, problems }
}

function walk(value: unknown, path: Problem['path'], above: Set<unknown>, problems: Problem[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (above.has(value)) {
    problems.push(problemAt(path, 'expected a value, got an alias of what it is part of'))
    return null
  }
  if (path.length === deepest) {
    problems.push(problemAt(path, `nested too deeply, expected at most ${deepest} levels`))
    return null
  }
  above.add(value)
  const inner = Array.isArray(value)
    ? value.map((item, index) => walk(item, [...path, index], above, problems))
    : walkMembers(value, path, above, problems)
  above.delete(value)
  return inner
}

function walkMembers(value: object, path: Problem['path'], above: Set<unknown>, problems: Problem[]): unknown {
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    // zod passes over this key without a word.
    if (key !== '__proto__') return [[key, walk(member, [...path, key], above, problems)]]
    problems.push({ path: [...path, key], atKey: true, message: `unknown key "${key}"` })
    return []
  })
  return Object.fromEntries(members)
}

const deepest = 64
