import type { FeedRow } from './computation.ts'
import { RepeatedKeys } from './repeated-keys.ts'

/** The products that have a code, or something else, by id in the order of the lines, with their status. */
export type Holders = Map<string, unknown>

/** Finds the keys that several records have, in two readings: the first only keeps hashes. */
export class SharedKeys {
  readonly #listKeys: (row: FeedRow) => readonly string[]
  readonly #repeated = new RepeatedKeys()

  constructor(listKeys: (row: FeedRow) => readonly string[]) {
    this.#listKeys = listKeys
  }

  /** Takes a record of the first reading. A key that it has twice, such as one code in two fields, is not shared for that. */
  add(row: FeedRow): void {
    for (const key of new Set(this.#listKeys(row))) this.#repeated.add(key)
  }

  /** The holders of each key that came more than once. Of records with the same id the last one has the status. */
  findHolders(rows: Iterable<FeedRow>): Map<string, Holders> {
    const isRepeated = this.#repeated.find()
    const found = new Map<string, Holders>()
    for (const row of rows) {
      for (const key of this.#listKeys(row)) {
        if (!isRepeated(key)) continue
        const holders: Holders = found.get(key) ?? new Map<string, unknown>()
        found.set(key, holders.set(String(row['id']), row['status']))
      }
    }
    return found
  }
}
