import { addIndex, type IndexRun, type LineIndex } from '../../src/records/block-outcome.ts'

/** The index of every line. */
export function listIndexes(runs: readonly IndexRun[]): LineIndex[] {
  return runs.flatMap(({ first, count }) =>
    Array.from({ length: count }, (_, line) => (typeof first === 'number' ? first + line : first)),
  )
}

export function toRuns(indexes: readonly LineIndex[]): IndexRun[] {
  const runs: IndexRun[] = []
  for (const index of indexes) addIndex(runs, index)
  return runs
}
