import type { Drift } from '../../manifest/manifest.ts'

/** A place with drift, and how often. `values` has a count for each value found; null if they are not counted. */
export interface DriftPlace {
  readonly path: string
  readonly count: number
  readonly values: readonly (readonly [value: string, count: number])[] | null
}

export function listPlaces(drift: Drift, kind: keyof Drift): DriftPlace[] {
  const places: readonly [string, number | Readonly<Record<string, number>>][] = Object.entries(drift[kind])
  return places.map(([path, found]) => {
    if (typeof found === 'number') return { path, count: found, values: null }
    const values = Object.entries(found)
    return { path, count: values.reduce((sum, [, count]) => sum + count, 0), values }
  })
}
