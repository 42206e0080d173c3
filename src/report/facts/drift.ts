import type { Drift } from '../../manifest/manifest.ts'

/** A place at which something was found, and how often; the values that were found there, if they are counted one by one. */
export interface DriftPlace {
  readonly path: string
  readonly count: number
  readonly values: readonly (readonly [value: string, count: number])[] | null
}

/** The places of one kind of drift, in the order in which they were found. */
export function listPlaces(drift: Drift, kind: keyof Drift): DriftPlace[] {
  const places: readonly [string, number | Readonly<Record<string, number>>][] = Object.entries(drift[kind])
  return places.map(([path, found]) => {
    if (typeof found === 'number') return { path, count: found, values: null }
    const values = Object.entries(found)
    return { path, count: values.reduce((sum, [, count]) => sum + count, 0), values }
  })
}
