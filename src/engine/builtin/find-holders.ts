import type { FeedRow } from './computation.ts'

/** The products that have a code, or something else, by id in the order of the lines, with their status. */
export type Holders = Map<string, unknown>

/** The holders of each key that comes more than once. Of records with the same id the last one has the status. */
export function findHolders(
  rows: Iterable<FeedRow>,
  listKeys: (row: FeedRow) => readonly string[],
  isRepeated: (key: string) => boolean,
): Map<string, Holders> {
  const found = new Map<string, Holders>()
  for (const row of rows) {
    for (const key of listKeys(row)) {
      if (!isRepeated(key)) continue
      const holders: Holders = found.get(key) ?? new Map<string, unknown>()
      found.set(key, holders.set(String(row['id']), row['status']))
    }
  }
  return found
}
