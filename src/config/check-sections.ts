import type { z } from 'zod'
import { checkShape, unknownKey } from './check-shape.ts'
import { pipelineShape, type CompletePipelineConfig } from './pipeline-schema.ts'
import { problemAt, type Problem } from './problem.ts'
import { exists, prune } from './prune.ts'
import { isObject } from '../records/json/json-values.ts'

/** Each section as far as it could be read, null where nothing could. */
export type Sections = { -readonly [Key in keyof CompletePipelineConfig]: CompletePipelineConfig[Key] | null }

export interface CheckedSections {
  readonly config: Sections
  readonly problems: readonly Problem[]
  /** The place in the config of a place in the sections, which lack their faulty parts. */
  readonly toOriginal: (path: Problem['path']) => Problem['path']
}

/** Each section is checked on its own and without its faulty parts, so that one mistake does not hide another. */
export function checkSections(value: unknown): CheckedSections {
  const isConfig = isObject(value)
  const written = isConfig ? value : {}
  const known = Object.keys(pipelineShape)
  const problems: Problem[] = isConfig
    ? Object.keys(written).flatMap((key) => (known.includes(key) ? [] : [unknownKey([], key, known)]))
    : [problemAt([], `expected a pipeline config, an object with name and source, got ${showRoot(value)}`)]
  let sound: Record<string, unknown> = written
  let toOriginal = samePath
  for (let faulty = checkEach(sound); faulty.length > 0; faulty = checkEach(sound)) {
    if (isConfig && sound === written) problems.push(...faulty)
    if (!isConfig) break
    const pruned = prune(sound, faulty)
    const before = toOriginal
    toOriginal = (path) => before(pruned.toOriginal(path))
    sound = pruned.value as Record<string, unknown>
    if (faulty.every(({ path: [key] }) => !Object.hasOwn(sound, key ?? ''))) break
  }
  const config = Object.fromEntries(
    known.map((key) => {
      const wasLost = Object.hasOwn(written, key) && !Object.hasOwn(sound, key)
      return [key, wasLost ? null : checkShape(sectionSchema(key), sound[key], [key]).value]
    }),
  )
  return { config: config as Sections, problems: withoutConsequences(problems, written), toOriginal }
}

function showRoot(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'function' ? 'a function' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** Without the keys that are only missing because they are misspelt beside. */
function withoutConsequences(problems: readonly Problem[], written: unknown): Problem[] {
  const meant = listMeant(problems)
  return problems.filter(({ path, atKey }) => atKey || exists(written, path) || !meant.has(JSON.stringify(path)))
}

/** The keys that were meant by those that are misspelt. */
function listMeant(problems: readonly Problem[]): Set<string> {
  return new Set(
    problems.flatMap(({ path, atKey, suggestion }) =>
      atKey && suggestion !== undefined ? [JSON.stringify([...path.slice(0, -1), suggestion])] : [],
    ),
  )
}

/** Without the problems of keys that are missing only because they are misspelt or have a faulty value. */
export function withoutLost(problems: readonly Problem[], faulty: readonly Problem[]): Problem[] {
  const lost = listMeant(faulty)
  for (const { path } of faulty) lost.add(JSON.stringify(path))
  return problems.filter(({ path }) => !lost.has(JSON.stringify(path)))
}

const samePath: CheckedSections['toOriginal'] = (path) => path

function checkEach(sections: Readonly<Record<string, unknown>>): readonly Problem[] {
  return Object.keys(pipelineShape).flatMap(
    (key) => checkShape<unknown>(sectionSchema(key), sections[key], [key]).problems,
  )
}

function sectionSchema(key: string): z.ZodType {
  return pipelineShape[key as keyof typeof pipelineShape]
}
