import { withObjects } from '../../storage/s3/with-objects.ts'
import { checkPipeline } from '../../plan/check-pipeline.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { SourceIdsPlan } from '../../plan/source/source-ids-plan.ts'
import { toComparableCode } from '../../codes/code-text.ts'
import { isObject } from '../../records/json/json-values.ts'
import { findFiles } from '../../sources/find-files.ts'
import { readLanding } from '../../sources/landing-manifest.ts'
import type { Landing } from '../../manifest/manifest.ts'
import type { LoadedPipeline } from '../load-pipelines.ts'

/**
 * Notes on conditions of the config's source that `--from` does not apply. None if every file was landed with the same
 * ones, or if `where` has a condition of the same name. One more for each file whose list of identifiers lacks codes of
 * the config's.
 */
export async function listUnapplied(
  { replaced: written, env, plan }: LoadedPipeline,
  from: readonly string[] | undefined,
): Promise<string[]> {
  if (from === undefined || written === undefined || plan === null) return []
  const replaced = { ...written, env }
  return withObjects(env, (objects) => listNotes(replaced, plan.name, plan.source, from, objects))
}

async function listNotes(
  replaced: Replaced,
  name: string,
  source: SourcePlan,
  from: readonly string[],
  objects: ObjectReader,
): Promise<string[]> {
  const parts = listParts(replaced.config)
  const notes: string[] = []
  let isApplied = true
  for (const file of await findFiles(from, objects)) {
    const landing = file === '-' ? null : await readLanding(file, objects)
    if (parts.length > 0 && (landing === null || !isAskedFor(landing, replaced, name))) isApplied = false
    if (landing !== null) notes.push(...noteLandedList(file, landing, source.sourceIds))
  }
  if (isApplied) return notes
  const verb = parts.length === 1 ? verbs.one : verbs.many
  return [`--from: the config's ${parts.join(' and ')} ${verb}; use where`, ...notes]
}

const verbs = { one: 'was not applied', many: 'were not applied' }

function listParts(config: unknown): string[] {
  if (!isObject(config) || !isObject(config['source']) || config['source']['endpoint'] === undefined) return []
  const { filter } = config['source']
  const where = isObject(config['where']) ? config['where'] : {}
  const keys = isObject(filter) ? Object.keys(filter).filter((key) => !Object.hasOwn(where, key)) : []
  return keys.length === 0 ? [] : [`filter (${keys.join(', ')})`]
}

type Replaced = NonNullable<LoadedPipeline['replaced']> & Pick<LoadedPipeline, 'env'>

/**
 * True if a file was landed with the filter of the config. Relative dates may refer to a time before the fetch began.
 * If variables are unset, the filter is unknown, and an equal pipeline name counts.
 */
function isAskedFor({ request, pipeline, startedAt }: Landing, replaced: Replaced, name: string): boolean {
  const latest = Date.parse(startedAt)
  const earliest = planFilter(replaced, latest - longestPreparationMs)
  if (earliest === undefined) return pipeline === name
  return isBetween(takeList(request.filter, request.sourceIds?.field).rest, earliest, planFilter(replaced, latest))
}

const longestPreparationMs = 60_000

/**
 * The planned filter without the list of identifiers, which is applied to files too. Undefined if the config has
 * problems, such as an unset variable.
 */
function planFilter({ config, env }: Replaced, now: number): unknown {
  const { plan } = checkPipeline(config, { env, needsService: false, now })
  if (plan?.source.kind !== 'service') return undefined
  return takeList(plan.source.filter, plan.source.sourceIds?.summary.field).rest
}

/** True if a value equals both others and its numbers lie between theirs. */
function isBetween(value: unknown, low: unknown, high: unknown): boolean {
  if (typeof value === 'number' && typeof low === 'number' && typeof high === 'number')
    return low <= value && value <= high
  if (typeof value !== 'object' || value === null) return value === low && value === high
  if (typeof low !== 'object' || low === null || typeof high !== 'object' || high === null) return false
  const keys = Object.keys(value)
  return (
    Array.isArray(value) === Array.isArray(low) &&
    keys.length === Object.keys(low).length &&
    keys.every((key) => isBetween(at(value, key), at(low, key), at(high, key)))
  )
}

function at(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key]
}

/** Notes that a file was landed with a list that lacks codes of the config's list. */
function noteLandedList(file: string, { request }: Landing, list: SourceIdsPlan | null): string[] {
  const landed = request.sourceIds
  if (landed === undefined) return []
  const fields = landed.field.split(', ')
  const filters = request.alternatives ?? [request.filter]
  const codes = filters.flatMap((filter) => fields.flatMap((field) => takeList(filter, field).codes))
  const asked = new Set(codes.map(toComparableCode))
  const isAsked = (code: string | number) => asked.has(toComparableCode(code))
  if (list?.summary.field === landed.field && list.identifiers.every(({ code }) => isAsked(code))) return []
  const others = list === null ? 'no other record is in it' : 'codes that were not requested for it count as not found'
  return [`--from: ${file} was landed with another list, ${landed.file} (${landed.field}): ${others}`]
}

/**
 * Splits a filter into its rest and the codes that a list added to it. A filter with one part left becomes that part.
 */
function takeList(filter: unknown, key: string | undefined): { rest: unknown; codes: readonly unknown[] } {
  if (!isObject(filter)) return { rest: filter ?? null, codes: [] }
  const parts = Array.isArray(filter['and']) && Object.keys(filter).length === 1 ? filter['and'] : [filter]
  const last: unknown = parts.at(-1)
  if (key === undefined || !isObject(last) || !Array.isArray(last[key])) return { rest: toPart(parts), codes: [] }
  const { [key]: codes, ...others } = last
  const remaining = Object.keys(others).length === 0 ? parts.slice(0, -1) : [...parts.slice(0, -1), others]
  return { rest: toPart(remaining), codes: codes as readonly unknown[] }
}

function toPart(parts: readonly unknown[]): unknown {
  return parts.length > 1 ? { and: parts } : (parts[0] ?? null)
}
