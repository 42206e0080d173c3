import type { z } from 'zod'
import { checkShape, type CheckedShape, unknownKey } from './check-shape.ts'
import { type CompletePipelineConfig, pipelineShape, rareSections } from './schemas/pipeline-schema.ts'
import { problemAt, type Problem } from './problem.ts'
import { exists, prune } from './prune.ts'
import { isObject } from '../records/json/json-values.ts'

/** Each section as far as it could be read, null if nothing could. */
export type Sections = { -readonly [Key in keyof CompletePipelineConfig]: CompletePipelineConfig[Key] | null }

export interface CheckedSections {
  readonly config: Sections
  readonly problems: readonly Problem[]
  /** The place in the config of a place in the sections, which lack their faulty parts. */
  readonly toOriginal: (path: Problem['path']) => Problem['path']
}

/** Checks each section on its own and without its faulty parts: one mistake does not hide another. */
export function checkSections(value: unknown): CheckedSections {
  const isConfig = isObject(value)
  const written = isConfig ? value : {}
  const known = Object.keys(pipelineShape)
  const problems: Problem[] = isConfig
    ? Object.keys(written).flatMap((key) => (known.includes(key) ? [] : [unknownKey([], key, known)]))
    : [problemAt([], `expected a pipeline config, an object with name and source, got ${showRoot(value)}`)]
  let sound: Record<string, unknown> = written
  let toOriginal = samePath
  let checked = checkEach(sound)
  for (let faulty = listProblems(checked); faulty.length > 0; faulty = listProblems(checked)) {
    if (!isConfig) break
    if (sound === written) problems.push(...faulty)
    const pruned = prune(sound, faulty)
    const before = toOriginal
    toOriginal = (path) => before(pruned.toOriginal(path))
    sound = pruned.value as Record<string, unknown>
    checked = checkEach(sound)
    if (faulty.every(({ path: [key] }) => !Object.hasOwn(sound, key ?? ''))) break
  }
  const config = Object.fromEntries(
    checked.map(({ key, value: read }) => {
      const wasLost = Object.hasOwn(written, key) && !Object.hasOwn(sound, key)
      return [key, wasLost ? null : read]
    }),
  )
  return { config: config as Sections, problems: withoutConsequences(problems, written), toOriginal }
}

function showRoot(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'function' ? 'a function' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** Leaves out the problems of keys that are missing only because they are misspelt in the same object. */
function withoutConsequences(problems: readonly Problem[], written: unknown): Problem[] {
  const meant = listMeant(problems)
  return problems.filter(({ path, atKey }) => atKey || exists(written, path) || !meant.has(JSON.stringify(path)))
}

function listMeant(problems: readonly Problem[]): Set<string> {
  return new Set(
    problems.flatMap(({ path, atKey, suggestion }) =>
      atKey && suggestion !== undefined ? [JSON.stringify([...path.slice(0, -1), suggestion])] : [],
    ),
  )
}

/** Leaves out the problems of keys that are missing only because they are misspelt or have a faulty value. */
export function withoutLost(problems: readonly Problem[], faulty: readonly Problem[]): Problem[] {
  const lost = listMeant(faulty)
  for (const { path } of faulty) {
    lost.add(JSON.stringify(path))
    // A condition without its faulty key is another one.
    if (path.includes('where')) lost.add(JSON.stringify(path.slice(0, -1)))
  }
  return problems.filter(({ path }) => !lost.has(JSON.stringify(path)))
}

const samePath: CheckedSections['toOriginal'] = (path) => path

interface CheckedSection extends CheckedShape<unknown> {
  readonly key: string
}

function checkEach(sections: Readonly<Record<string, unknown>>): readonly CheckedSection[] {
  const shape: Readonly<Record<string, z.ZodType>> = pipelineShape
  return Object.keys(shape).map((key) => {
    const section = sections[key]
    if (section === undefined && rareSections.includes(key)) return { key, value: undefined, problems: [] }
    return { key, ...checkShape(shape[key] as z.ZodType, section, [key]) }
  })
}

function listProblems(sections: readonly CheckedSection[]): readonly Problem[] {
  return sections.flatMap(({ problems }) => problems)
}
