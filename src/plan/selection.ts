import { createHash } from 'node:crypto'
import { isObject } from '../records/json/json-values.ts'
import type { SourceIdsPlan } from './source/source-ids-plan.ts'

/** Identifies which records a config selects: a short hash of each selecting key, by its path in the config. */
export type Selection = Readonly<Record<string, string>>

/** The selection of a config as written, before variables are replaced. */
export function toSelection(written: unknown, sourceIds: SourceIdsPlan | null): Selection {
  const config = isObject(written) ? written : {}
  const source = isObject(config['source']) ? config['source'] : {}
  const parts: [key: string, value: unknown][] = [
    ['where', config['where']],
    ['duplicates', config['duplicates']],
    ...['endpoint', 'filter', 'page'].map((key): [string, unknown] => [`source.${key}`, source[key]]),
    ['source.files', source['files'] && withoutDigits(source['files'])],
    [
      'sourceIds',
      sourceIds && [sourceIds.summary.field, ...sourceIds.identifiers.map(({ code }) => String(code)).toSorted()],
    ],
  ]
  return Object.fromEntries(parts.flatMap(([key, value]) => (value ? [[key, hash(value)]] : [])))
}

/** Keys that select other records than in the last run; empty if that is unknown. */
export function listEdits(before: Selection | undefined, now: Selection | undefined): string[] {
  if (before === undefined || now === undefined) return []
  return Object.keys({ ...before, ...now }).filter((key) => before[key] !== now[key])
}

/** Files of different days, with dates in their names, count as the same source. */
function withoutDigits(files: unknown): string {
  return JSON.stringify(files).replaceAll(/\d+/g, '0')
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, withSortedKeys)).digest('hex').slice(0, 16)
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
