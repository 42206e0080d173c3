import type { Published } from './crash-target.ts'

type Tables = Published[string]

/** A few rows that one version has and the other has not; null where they are the same. */
export function findDifference(got: Published, expected: Published): string | null {
  return findFirst(got, expected, findDifferenceOf)
}

/** The same for what is published at once. */
export function findDifferenceOf(got: Tables = {}, expected: Tables = {}): string | null {
  return findFirst(got, expected, findRows)
}

function findRows(got: readonly string[] = [], expected: readonly string[] = []): string | null {
  if (got.length === expected.length && got.every((row, at) => row === expected[at])) return null
  const [missing, extra] = [lackingIn(got, expected), lackingIn(expected, got)]
  return `${missing.length} rows missing${showFew(missing)}\n${extra.length} rows too many${showFew(extra)}`
}

function showFew(rows: readonly string[]): string {
  return rows
    .slice(0, 3)
    .map((row) => `\n  ${row}`)
    .join('')
}

/** The rows that the others lack, counted where they come several times. */
function lackingIn(rows: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const row of rows) left.set(row, (left.get(row) ?? 0) + 1)
  return others.filter((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
    return count <= 0
  })
}

function findFirst<Part>(
  got: Readonly<Record<string, Part>>,
  expected: Readonly<Record<string, Part>>,
  compare: (got: Part | undefined, expected: Part | undefined) => string | null,
): string | null {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const difference = compare(got[name], expected[name])
    if (difference !== null) return `${name}: ${difference}`
  }
  return null
}
