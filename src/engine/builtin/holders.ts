/** The products that have a code, or something else, by id in the order of the lines, with their status. */
export type Holders = Map<string, string | null>

/** Of records with the same id the last one has the status. */
export function addHolder(found: Map<string, Holders>, key: string, id: string, status: string | null): void {
  const holders: Holders = found.get(key) ?? new Map<string, string | null>()
  found.set(key, holders.set(id, status))
}
