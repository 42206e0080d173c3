import type { FilterValue } from '../../service/endpoints/filter-values.ts'
import type { ConditionConfig, Conditions } from '../../config/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Field, ScalarField } from '../../contracts/fields.ts'
import { givenNames } from '../../contracts/given-values.ts'
import { closest } from '../../text/choices.ts'
import { showValue } from '../../text/show-value.ts'
import type { Condition, ConditionTest, ValueTest } from '../../records/conditions/condition.ts'
import { expectedOf, readConfigValue, type ValueType } from '../../records/conditions/config-value.ts'
import type { TimeSpan } from '../../records/conditions/time-span.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { findCodeForm, listCodeForms } from './code-forms.ts'
import { describeField, isPathProblem, resolvePath, type ResolvedPath } from './resolve-path.ts'
import { cutText } from '../../text/cut-text.ts'

export interface PlannedConditions {
  readonly conditions: readonly Condition[]
  readonly problems: readonly Problem[]
}

/** The conditions of a `where`, each checked against the type and the known values of its field. Days are those of the time zone. */
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
  /** The record, or the element that the conditions are on. */
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

/** What is asked of single elements; null for a condition on values. A list of objects is null if it has no element. */
function toElementConfig(config: ConditionConfig, isList: boolean): ElementConfig | null {
  if (config === null) return isList ? { none: {} } : null
  if (typeof config !== 'object' || Array.isArray(config)) return null
  if ('some' in config || 'none' in config) return config
  return isList && 'not' in config && config.not === null ? { some: {} } : null
}

/** A list of objects, with or without `[]` at its end. */
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
  const [type, form] = [toValueType(scalar, timezone), findCodeForm(from, scalar)]
  const test = toTest(config, { field: scalar, type, form, problems }, path)
  const listSteps: Step[] = field.kind === 'list' ? [{ kind: 'all' }] : []
  if (test === null) return []
  return [{ from, steps: [...(steps as readonly Step[]), ...listSteps], test, shown: showCondition(config) }]
}

function onGiven(from: string): string {
  return `where: expected a field of records, got "${from}", a value of their source: read the files of one version only`
}

function toScalar(field: Field): ScalarField | null {
  if (field.kind === 'scalar') return field.type === 'json' ? null : field
  return field.kind === 'list' ? (field.element.kind === 'scalar' ? toScalar(field.element) : null) : null
}

function toValueType({ type }: ScalarField, timezone: string): ValueType {
  switch (type) {
    case 'text':
    case 'json':
      return { kind: 'text', takesNumbers: true }
    case 'timestamp':
      return { kind: 'time', unit: 'seconds', timezone }
    default:
      return { kind: type }
  }
}

interface ValueContext {
  readonly field: ScalarField
  readonly type: ValueType
  /** The form of a code of digits. */
  readonly form: FilterValue | undefined
  readonly problems: Problem[]
}

function toTest(config: ConditionConfig, context: ValueContext, path: Problem['path']): ConditionTest | null {
  if (config === null || typeof config !== 'object') return toValues('in', [config], context, path)
  if (Array.isArray(config)) return toValues('in', config, context, path)
  if ('not' in config) return toValues('not', [config.not].flat(), context, [...path, 'not'])
  return toRange(config as RangeConfig, context, path)
}

type WrittenValue = string | number | boolean | null

function toValues(
  kind: 'in' | 'not',
  written: readonly WrittenValue[],
  context: ValueContext,
  path: Problem['path'],
): ValueTest | null {
  const read = written.flatMap((value) => (value === null ? null : readValues(value, context, path)))
  if (read.includes(undefined)) return null
  const values = read.filter((value) => !isSpan(value)) as readonly WrittenValue[]
  const ranges = read.filter(isSpan)
  return { kind, values, ...(ranges.length > 0 && { ranges }) }
}

interface RangeConfig {
  readonly from?: string | number | undefined
  readonly until?: string | number | undefined
}

function toRange({ from, until }: RangeConfig, context: ValueContext, path: Problem['path']): ValueTest | null {
  const { field, problems } = context
  if (!['integer', 'float', 'timestamp'].includes(field.type)) {
    problems.push(problemAt(path, `where: expected a number or timestamp for a range, got ${describeField(field)}`))
    return null
  }
  if (from === undefined && until === undefined) {
    problems.push(problemAt(path, 'where: expected from, until or both, got neither'))
    return null
  }
  const [first, last] = [from, until].map((bound) => (bound === undefined ? null : readValue(bound, context, path)))
  if (first === undefined || last === undefined) return null
  const low = isSpan(first) ? first.from : (first as number | null)
  const high = isSpan(last) ? last.until : (last as number | null)
  if (low !== null && high !== null && low > high) {
    problems.push(problemAt(path, `where: expected from before until, got from ${from} until ${until}`))
    return null
  }
  return { kind: 'range', from: low, until: high }
}

function isSpan(value: string | number | boolean | TimeSpan | null | undefined): value is TimeSpan {
  return typeof value === 'object' && value !== null
}

/** The values as records may hold one of the config: a code of digits comes in several forms. Undefined with a problem. */
function readValues(
  value: string | number | boolean,
  context: ValueContext,
  path: Problem['path'],
): (string | number | boolean | TimeSpan | undefined)[] {
  const { form, field, problems } = context
  if (form === undefined || value === '' || typeof value === 'boolean') return [readValue(value, context, path)]
  const codes = listCodeForms(value, form, field)
  if (codes === undefined) problems.push(problemAt(path, `where: expected ${form.accepts}, got ${showValue(value)}`))
  return codes ?? [undefined]
}

/**
 * The value as records hold it: timestamps in unix seconds. Undefined with a problem. A value
 * that the contract does not list is only a problem when it is close to one of them: markets have values of their own.
 */
function readValue(
  value: string | number | boolean,
  { field, type, problems }: ValueContext,
  path: Problem['path'],
): string | number | boolean | TimeSpan | undefined {
  const refuse = (message: string, suggestion?: string): undefined => {
    problems.push(problemAt(path, message, suggestion))
  }
  if (field.code && field.length === undefined && typeof value === 'number')
    return refuse(`where: expected the code in quotes, as leading zeros are lost without, got ${showValue(value)}`)
  const read = readConfigValue(value, type)
  // Records have no whole numbers beyond 2^53 that a condition could be meant for.
  if (read === undefined || typeof read === 'bigint')
    return refuse(`where: expected ${expectedOf(type)}, got ${showValue(value)}`)
  const { values = [] } = field
  const isListed = typeof read === 'object' || values.includes(String(read))
  const suggestion = isListed ? undefined : closest(String(read), values)
  return suggestion === undefined ? read : refuse(`where: unknown value ${showValue(value)}`, suggestion)
}

/** A condition as YAML writes it in one line, for reports: `active`, `[active, inactive]`, `{not: inactive}`. Long ones are cut. */
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
