import { addIndex, type IndexRun, type LineIndex } from '../../src/records/block-outcome.ts'

/** The index of every line. */
export function listIndexes(runs: readonly IndexRun[]): LineIndex[] {
  return runs.flatMap(({ first, count }) =>
    Array.from({ length: count }, (_, line) => (typeof first === 'number' ? first + line : first)),
  )
}

/** The runs of lines with these indexes. The first lines state the totals, and those that are left the last one. */
export function toRuns(indexes: readonly LineIndex[], totals: readonly number[] = []): IndexRun[] {
  const runs: IndexRun[] = []
  for (const [at, index] of indexes.entries()) addIndex(runs, index, totals[at] ?? totals.at(-1) ?? null)
  return runs
}
