import type { ConditionConfig, Conditions } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Field, ScalarField } from '../../contracts/fields.ts'
import { givenNames } from '../../contracts/given-values.ts'
import type { Condition, ValueTest } from '../../records/conditions/condition.ts'
import type { ValueType } from '../../types/column-type-definition.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { describeField, isPathProblem, resolvePath, type ResolvedPath } from '../records/resolve-path.ts'
import { cutText } from '../../text/cut-text.ts'
import { type Bounds, type Compared, planRange, planValues, toScalar } from './plan-comparison.ts'

export interface PlannedConditions {
  readonly conditions: readonly Condition[]
  readonly problems: readonly Problem[]
}

/** Plans the conditions of a `where`, checked against types and known values. Days are in the time zone. */
export function planConditions(
  where: Conditions,
  root: Field,
  path: Problem['path'],
  timezone: string,
): PlannedConditions {
  const problems: Problem[] = []
  return { conditions: planWhere(where, path, { root, timezone, problems }), problems }
}

interface ConditionContext {
  readonly root: Field
  readonly timezone: string
  readonly problems: Problem[]
}

function planWhere(where: Conditions, path: Problem['path'], context: ConditionContext): Condition[] {
  const { any, ...byPath } = where
  return Object.entries(where).flatMap(([from]) => {
    if (from === 'any') return any === undefined ? [] : [planAny(any, [...path, from], context)]
    const config = byPath[from] as ConditionConfig | undefined
    return config === undefined ? [] : planPath(from, config, [...path, from], context)
  })
}

function planAny(groups: readonly Conditions[], path: Problem['path'], context: ConditionContext): Condition {
  const of = groups.map((where, at) => {
    if (Object.keys(where).length === 0) {
      context.problems.push(problemAt([...path, at], 'any: expected at least one condition, got none'))
    }
    return planWhere(where, [...path, at], context)
  })
  return { from: 'any', steps: [], test: { kind: 'any', of }, shown: showCondition(groups) }
}

function planPath(
  from: string,
  config: ConditionConfig,
  path: Problem['path'],
  context: ConditionContext,
): Condition[] {
  const { problems } = context
  const resolved = resolvePath(context.root, from)
  if (isPathProblem(resolved)) {
    const isGiven = givenNames.some((name) => name === from)
    const problem = isGiven ? problemAt(path, onGiven(from)) : problemAt(path, resolved.message, resolved.suggestion)
    problems.push({ ...problem, atKey: true })
    return []
  }
  const elements = toElements(resolved)
  const asked = toElementConfig(config, elements !== null)
  if (asked === null) return planValue(from, config, resolved, path, context)
  if (elements === null) {
    const message = `where: expected a list of objects for some and none, got "${from}", ${describeField(resolved.field)}`
    problems.push({ ...problemAt(path, message), atKey: true })
    return []
  }
  return (['some', 'none'] as const).flatMap((kind) => {
    const where = asked[kind]
    if (where === undefined) return []
    const conditions = planWhere(where, [...path, kind], { ...context, root: elements.root })
    const shown = asked === config ? { [kind]: where } : config
    return [{ from, steps: elements.steps, test: { kind, where: conditions }, shown: showCondition(shown) }]
  })
}

interface ElementConfig {
  readonly some?: Conditions | undefined
  readonly none?: Conditions | undefined
}

/**
 * The condition on elements of a list; null for a condition on values. `null` on a list of objects means that it is
 * empty.
 */
function toElementConfig(config: ConditionConfig, isList: boolean): ElementConfig | null {
  if (config === null) return isList ? { none: {} } : null
  if (typeof config !== 'object' || Array.isArray(config)) return null
  if ('some' in config || 'none' in config) return config
  return isList && 'not' in config && config.not === null ? { some: {} } : null
}

/** Steps to the elements of a list of objects, written with or without `[]`; null for other paths. */
function toElements({
  steps,
  field,
}: Pick<ResolvedPath, 'steps' | 'field'>): { readonly steps: readonly Step[]; readonly root: Field } | null {
  if (steps.some(({ kind }) => kind === 'pendingLocale')) return null
  const own = steps as readonly Step[]
  if (field.kind === 'object') return own.at(-1)?.kind === 'all' ? { steps: own, root: field } : null
  const isList = field.kind === 'list' && field.element.kind === 'object'
  return isList ? { steps: [...own, { kind: 'all' }], root: field.element } : null
}

function planValue(
  from: string,
  config: ConditionConfig,
  { field, steps }: ResolvedPath,
  path: Problem['path'],
  { timezone, problems }: ConditionContext,
): Condition[] {
  const scalar = toScalar(field)
  if (steps.some(({ kind }) => kind === 'pendingLocale') || scalar === null) {
    const onElements = toElements({ field, steps }) === null ? '' : 'some, none, null or {not: null}, or '
    const message = `where: expected ${onElements}the path of a single value, got "${from}", ${describeField(field)}`
    problems.push({ ...problemAt(path, message, field.kind === 'localized' ? `${from}.nl` : undefined), atKey: true })
    return []
  }
  const compared: Compared = {
    by: 'where',
    type: toValueType(scalar, timezone),
    shown: describeField(scalar),
    field: scalar,
    from,
    problems,
  }
  // Values of `where` are never bigints.
  const test = planTest(config, compared, path) as ValueTest | null
  const listSteps: Step[] = field.kind === 'list' ? [{ kind: 'all' }] : []
  if (test === null) return []
  return [{ from, steps: [...(steps as readonly Step[]), ...listSteps], test, shown: showCondition(config) }]
}

function onGiven(from: string): string {
  return `where: expected a field of records, got "${from}", a value of their source: read the files of one version only`
}

function toValueType({ type }: ScalarField, timezone: string): ValueType {
  switch (type) {
    case 'text':
    case 'json':
      return { kind: 'text' }
    case 'timestamp':
      return { kind: 'time', unit: 'seconds', timezone }
    default:
      return { kind: type }
  }
}

function planTest(config: ConditionConfig, compared: Compared, path: Problem['path']) {
  if (config === null || typeof config !== 'object' || Array.isArray(config)) {
    return planValues('in', config, compared, path)
  }
  if ('not' in config) return planValues('not', config.not, compared, [...path, 'not'])
  return planRange(config as Bounds, compared, (key) => (key === null ? path : [...path, key]))
}

/**
 * Formats a condition as one line of YAML, for reports: `active`, `[active, inactive]`, `{not: inactive}`. Cuts long
 * ones.
 */
export function showCondition(condition: unknown): string {
  return cutText(show(condition), longest)
}

const longest = 100

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value !== 'object' || value === null) return value === '' ? '""' : String(value)
  const members = Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [`${key}: ${show(each)}`]))
  return `{${members.join(', ')}}`
}
