import type { SourceIdsPlan } from '../../plan/pipeline-plan.ts'
import { toComparableCode } from '../../records/flatten/condition-test.ts'
import { isObject } from '../../records/json/json-values.ts'
import type { Landing } from '../../sources/landing-manifest.ts'

/** A note of a file that was landed with a list, where that did not ask for all that the list of the config says. */
export function noteLandedList(file: string, { request }: Landing, list: SourceIdsPlan | null): string[] {
  const landed = request.sourceIds
  if (landed === undefined) return []
  const asked = new Set(takeList(request.filter, landed.field).codes.map(toComparableCode))
  const isAsked = (code: string | number) => asked.has(toComparableCode(code))
  if (list?.summary.field === landed.field && list.identifiers.every(({ code }) => isAsked(code))) return []
  const others = list === null ? 'no other record is in it' : 'codes that were not requested for it count as not found'
  return [`--from: ${file} was landed with another list, ${landed.file} (${landed.field}): ${others}`]
}

/** A filter without the codes that a list has added to it, and these. A filter of one part is that part. */
export function takeList(filter: unknown, key: string | undefined): { rest: unknown; codes: readonly unknown[] } {
  if (!isObject(filter)) return { rest: filter ?? null, codes: [] }
  const parts = Array.isArray(filter['and']) && Object.keys(filter).length === 1 ? filter['and'] : [filter]
  const last: unknown = parts.at(-1)
  if (key === undefined || !isObject(last) || !Array.isArray(last[key])) return { rest: toPart(parts), codes: [] }
  const { [key]: codes, ...others } = last
  const left = Object.keys(others).length === 0 ? parts.slice(0, -1) : [...parts.slice(0, -1), others]
  return { rest: toPart(left), codes: codes as readonly unknown[] }
}

function toPart(parts: readonly unknown[]): unknown {
  return parts.length > 1 ? { and: parts } : (parts[0] ?? null)
}
