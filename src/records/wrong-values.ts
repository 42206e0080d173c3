import { escapeControls } from '../text/escape-controls.ts'
import { toPlace, type Reject } from './reject.ts'
import type { WrongValues } from '../manifest/manifest.ts'

export interface WrongCounts {
  records: number
  readonly paths: Record<string, number>
}

export function noWrongValues(): WrongCounts {
  // Without a prototype: a field may be called `__proto__`.
  return { records: 0, paths: Object.create(null) as Record<string, number> }
}

/** Counts a reject if values of a wrong type are its only reason. */
export function addWrongValues(counts: WrongCounts, { issues }: Pick<Reject, 'issues'>): void {
  if (issues.some(({ code, path }) => code !== 'invalid_type' || path === '' || path === 'id')) return
  counts.records++
  for (const { path } of issues) {
    const place = toPlace(path)
    counts.paths[place] = (counts.paths[place] ?? 0) + 1
  }
}

export function joinWrongValues(counts: WrongCounts, { records, paths }: WrongValues): void {
  counts.records += records
  for (const [path, count] of Object.entries(paths)) counts.paths[path] = (counts.paths[path] ?? 0) + count
}

/** The number of the records, where their wrong values are, and the switch that keeps them. */
export function describeWrongValues({ records, paths }: WrongValues): string {
  const places = Object.entries(paths).toSorted(([, a], [, b]) => b - a)
  const shown = places.slice(0, mostShown).map(([path, count]) => `${escapeControls(path)} ${count}×`)
  const more = places.length > mostShown ? [`${places.length - mostShown} more`] : []
  const subject = records === 1 ? '1 record was' : `${records} records were`
  return `${subject} rejected for values of a wrong type only (${[...shown, ...more].join(', ')}): \`contract: { invalidValues: null }\` keeps such records, with null in place of those values.`
}

const mostShown = 5
