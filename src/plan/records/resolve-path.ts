import type { Field } from '../../contracts/fields.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { closest } from '../../text/choices.ts'
import { isLocaleCode } from '../locales.ts'
import { toFieldStep } from './plan-columns.ts'

export interface ResolvedPath {
  readonly steps: readonly ResolvedStep[]
  readonly field: Field
  /** Fields along the path, including the last. A deprecated one makes the path deprecated. */
  readonly trail: readonly Field[]
}

/** `pendingLocale` marks a localized value entered without naming a locale. */
export type ResolvedStep = Step | { readonly kind: 'pendingLocale' }

export interface PathProblem {
  readonly message: string
  readonly suggestion?: string
  /** True if an object on the path has no field of that name. */
  readonly isUnknownField?: true
}

type Token =
  { readonly kind: 'name'; readonly name: string } | { readonly kind: 'index'; readonly index: number | null }

/** Resolves a path from `root`; returns a problem if the contract has no such field. */
export function resolvePath(root: Field, path: string): ResolvedPath | PathProblem {
  const tokens = parsePath(path)
  if (tokens === null)
    return { message: `path "${path}": expected field names, [] and [0] joined by points, as in brands[0].name` }
  let resolved: ResolvedPath = { steps: [], field: root, trail: [] }
  for (const token of tokens) {
    const next = token.kind === 'name' ? enterName(resolved, token.name, path) : enterList(resolved, token.index, path)
    if (isPathProblem(next)) return next
    resolved = next
  }
  return resolved
}

export function isPathProblem(result: ResolvedPath | PathProblem): result is PathProblem {
  return 'message' in result
}

/** Parses `photos[].organizations[0].id`; null if it is no path. `$` is the record itself. */
function parsePath(path: string): Token[] | null {
  if (path === '$') return []
  if (!/^[A-Za-z_]\w*(?:\[\d*\])*(?:\.[A-Za-z_]\w*(?:\[\d*\])*)*$/.test(path)) return null
  return [...path.matchAll(/([A-Za-z_]\w*)|\[(\d*)\]/g)].map(([, name, index]) =>
    name === undefined ? { kind: 'index', index: index ? Number(index) : null } : { kind: 'name', name },
  )
}

function enterName({ steps, field, trail }: ResolvedPath, name: string, path: string): ResolvedPath | PathProblem {
  if (field.kind === 'localized') {
    const isElementField = field.element.kind === 'object' && field.element.fields.has(name)
    if (isElementField) {
      return enterName({ steps: [...steps, { kind: 'pendingLocale' }], field: field.element, trail }, name, path)
    }
    if (!isLocaleCode(name))
      return { message: `path "${path}": expected a locale after the localized field, got "${name}"` }
    const step = { kind: 'locale', locales: [name], others: false } as const
    return { steps: [...steps, step], field: field.element, trail: [...trail, field.element] }
  }
  if (field.kind === 'list') return { message: `path "${path}": expected [] or [0] after a list, got ".${name}"` }
  if (field.kind === 'scalar')
    return { message: `path "${path}": expected the end of the path after ${describeField(field)}, got ".${name}"` }
  const member = field.fields.get(name)
  if (member === undefined) return unknownField(path, name, [...field.fields.keys()])
  return { steps: [...steps, toFieldStep(name, member)], field: member, trail: [...trail, member] }
}

function enterList(
  { steps, field, trail }: ResolvedPath,
  index: number | null,
  path: string,
): ResolvedPath | PathProblem {
  if (field.kind !== 'list')
    return { message: `path "${path}": expected a list before [${index ?? ''}], got ${describeField(field)}` }
  const step: Step = index === null ? { kind: 'all' } : { kind: 'index', index }
  return { steps: [...steps, step], field: field.element, trail: [...trail, field.element] }
}

/** Describes a field for messages: `a list of objects`, `a localized field`, `an integer field`. */
export function describeField(field: Field): string {
  switch (field.kind) {
    case 'scalar':
      return field.type === 'integer' ? 'an integer field' : `a ${field.type} field`
    case 'object':
      return 'an object'
    case 'localized':
      return 'a localized field'
    case 'list':
      return field.element.kind === 'scalar' ? `a list of ${field.element.type} values` : 'a list of objects'
  }
}

function unknownField(path: string, name: string, known: readonly string[]): PathProblem {
  const suggestion = closest(name, known)
  const message = `unknown field "${name}" in path "${path}"`
  return { message, isUnknownField: true, ...(suggestion !== undefined && { suggestion }) }
}
