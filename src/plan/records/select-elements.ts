import type { Conditions } from '../../config/schemas/pipeline-schema.ts'
import { planConditions } from '../conditions/plan-conditions.ts'
import type { Problem } from '../../config/problem.ts'
import { describeField, type ResolvedPath, type ResolvedStep } from './resolve-path.ts'

export interface SelectedElements {
  readonly resolved: ResolvedPath
  readonly problems: readonly Problem[]
}

/** Adds the `where` of a column to the one list that its path enters. */
export function selectElements(
  resolved: ResolvedPath,
  { path, where = {} }: { readonly path: string; readonly where: Conditions | undefined },
  at: (key: string) => Problem['path'],
  timezone: string,
): SelectedElements {
  if (Object.keys(where).length === 0) return { resolved, problems: [] }
  const refuse = (got: string): SelectedElements => ({
    resolved,
    problems: [{ path: at('where'), atKey: true, message: `where: expected ${expectedPath}, got ${got}` }],
  })
  const lists = resolved.steps.flatMap((step, position) => (isElement(step) ? [position] : []))
  const [only] = lists
  if (only === undefined) return refuse(`"${path}", which enters none`)
  if (lists.length > 1) return refuse(`"${path}", which enters ${lists.length}`)
  // The step `pendingLocale` adds no field to the trail.
  const pending = resolved.steps.slice(0, only).filter(({ kind }) => kind === 'pendingLocale').length
  const element = resolved.trail[only - pending]
  if (element?.kind !== 'object')
    return refuse(`"${path}", whose elements are ${element ? describeField(element) : 'not known'}`)
  const { conditions, problems } = planConditions(where, element, at('where'), timezone)
  const steps = resolved.steps.map((step) => (isElement(step) ? { ...step, where: conditions } : step))
  return { resolved: { ...resolved, steps }, problems }
}

type ElementStep = Extract<ResolvedStep, { readonly kind: 'all' | 'index' }>

function isElement(step: ResolvedStep): step is ElementStep {
  return step.kind === 'all' || step.kind === 'index'
}

const expectedPath = 'a path that enters one list of objects with [] or [0], as photos[].formats.large does'
