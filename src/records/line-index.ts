/**
 * The index that a line states; null where a whole line states none; `unreadable` where the line could not be read, so
 * that it may have stated one.
 */
export type LineIndex = number | null | 'unreadable'

/** Lines one after the other: each states the index behind that of the one before, or none of them states any. */
export interface IndexRun {
  /** Of the first line. */
  readonly first: LineIndex
  count: number
}

/** Adds the index of the next line. */
export function addIndex(runs: IndexRun[], index: LineIndex): void {
  const last = runs.at(-1)
  const goesOn = last !== undefined && (typeof last.first === 'number' ? last.first + last.count : last.first) === index
  if (goesOn) last.count++
  else runs.push({ first: index, count: 1 })
}

export function countIndexes(runs: readonly IndexRun[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0)
}
