import type { Drift, PreviousRun } from '../../manifest/manifest.ts'
import type { ReportManifest } from '../report-manifest.ts'

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

/** A kind of drift that the run before did not have. */
export interface NewDrift {
  readonly kind: keyof Drift
  readonly path: string
  /** Null if the kind counts no values. */
  readonly value: string | null
}

/** What is new since the last published run; empty for a first run. */
export function listNewDrift({ drift, previous }: Pick<ReportManifest, 'drift' | 'previous'>): NewDrift[] {
  if (previous === undefined) return []
  const { drift: before } = previous
  const values = Object.entries(drift.unknownValues).flatMap(([path, counts]) =>
    findNew(counts, before.unknownValues[path] ?? []).map((value) => ({ kind: 'unknownValues' as const, path, value })),
  )
  const ofPaths = (kind: Exclude<keyof Drift, 'unknownValues'>) =>
    findNew(drift[kind], before[kind]).map((path) => ({ kind, path, value: null }))
  return [
    ...ofPaths('unknownFields'),
    ...values,
    ...(['invalidValues', 'oddCodes', 'nullElements', 'duplicateKeys', 'otherLocales'] as const).flatMap(ofPaths),
  ]
}

function findNew(found: Readonly<Record<string, unknown>>, known: PreviousRun['drift']['unknownFields']): string[] {
  const before = new Set(known)
  return Object.keys(found).filter((name) => !before.has(name))
}
