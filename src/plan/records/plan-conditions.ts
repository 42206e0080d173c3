import type { ConditionConfig } from '../../config/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Field, ScalarField } from '../../contracts/fields.ts'
import { givenNames } from '../../contracts/given-values.ts'
import { closest } from '../../messages/choices.ts'
import { showValue } from '../../messages/show-value.ts'
import { parseIsoDate } from '../../records/flatten/convert.ts'
import type { Condition, ConditionTest, Step } from '../../records/flatten/table-plan.ts'
import { describeField, isPathProblem, resolvePath } from './resolve-path.ts'

export interface PlannedConditions {
  readonly conditions: readonly Condition[]
  readonly problems: readonly Problem[]
}

type ConditionValue = string | number | boolean | null

/** The conditions of a `where`, each checked against the type and the known values of its field. */
export function planConditions(
  where: Readonly<Record<string, ConditionConfig>>,
  root: Field,
  path: Problem['path'],
): PlannedConditions {
  const conditions: Condition[] = []
  const problems: Problem[] = []
  for (const [from, config] of Object.entries(where)) {
    const at = [...path, from]
    const resolved = resolvePath(root, from)
    if (isPathProblem(resolved)) {
      const isGiven = givenNames.some((name) => name === from)
      const problem = isGiven ? problemAt(at, onGiven(from)) : problemAt(at, resolved.message, resolved.suggestion)
      problems.push({ ...problem, atKey: true })
      continue
    }
    const { field, steps } = resolved
    if (steps.some(({ kind }) => kind === 'pendingLocale') || toScalar(field) === null) {
      const message = `where: expected the path of a single value, got "${from}", ${describeField(field)}`
      problems.push({ ...problemAt(at, message, field.kind === 'localized' ? `${from}.nl` : undefined), atKey: true })
      continue
    }
    const scalar = toScalar(field)
    if (scalar === null) continue
    const test = toTest(config, scalar, at, problems)
    const listSteps: Step[] = field.kind === 'list' ? [{ kind: 'all' }] : []
    if (test !== null)
      conditions.push({
        from,
        steps: [...(steps as readonly Step[]), ...listSteps],
        test,
        shown: showCondition(config),
      })
  }
  return { conditions, problems }
}

function onGiven(from: string): string {
  return `where: expected a field of records, got "${from}", a value of their source: read the files of one version only`
}

function toScalar(field: Field): ScalarField | null {
  if (field.kind === 'scalar') return field.type === 'json' ? null : field
  return field.kind === 'list' ? (field.element.kind === 'scalar' ? toScalar(field.element) : null) : null
}

function toTest(
  config: ConditionConfig,
  field: ScalarField,
  path: Problem['path'],
  problems: Problem[],
): ConditionTest | null {
  if (config === null || typeof config !== 'object') return toValues('in', [config], field, path, problems)
  if (Array.isArray(config)) return toValues('in', config, field, path, problems)
  if ('not' in config) {
    const values = Array.isArray(config.not) ? config.not : [config.not]
    return toValues('not', values, field, [...path, 'not'], problems)
  }
  return toRange(config, field, path, problems)
}

function toValues(
  kind: 'in' | 'not',
  values: readonly ConditionValue[],
  field: ScalarField,
  path: Problem['path'],
  problems: Problem[],
): ConditionTest | null {
  const canonical = values.map((value) => toCanonical(value, field, path, problems))
  return canonical.includes(undefined) ? null : { kind, values: canonical as ConditionValue[] }
}

function toRange(
  { from, until }: { from?: string | number | undefined; until?: string | number | undefined },
  field: ScalarField,
  path: Problem['path'],
  problems: Problem[],
): ConditionTest | null {
  if (!['integer', 'float', 'timestamp'].includes(field.type)) {
    problems.push(problemAt(path, `where: expected a number or timestamp for a range, got ${describeField(field)}`))
    return null
  }
  if (from === undefined && until === undefined) {
    problems.push(problemAt(path, 'where: expected from, until or both, got neither'))
    return null
  }
  const [low, high] = [from, until].map((bound) =>
    bound === undefined ? null : toCanonical(bound, field, path, problems),
  )
  if (low === undefined || high === undefined) return null
  if (typeof low === 'number' && typeof high === 'number' && low > high) {
    problems.push(problemAt(path, `where: expected from before until, got from ${from} until ${until}`))
    return null
  }
  return { kind: 'range', from: low as number | null, until: high as number | null }
}

/**
 * The value as records hold it: timestamps in unix seconds, codes as padded text. Undefined with a problem. A value
 * that the contract does not list is only a problem when it is close to one of them: markets have values of their own.
 */
function toCanonical(
  value: ConditionValue,
  field: ScalarField,
  path: Problem['path'],
  problems: Problem[],
): ConditionValue | undefined {
  if (value === null) return null
  if (field.code && field.length === undefined && typeof value === 'number') {
    problems.push(
      problemAt(path, `where: expected the code in quotes, as leading zeros are lost without, got ${showValue(value)}`),
    )
    return undefined
  }
  const canonical = convert(value, field)
  if (canonical === undefined) {
    problems.push(problemAt(path, `where: expected ${expectedFor(field)}, got ${showValue(value)}`))
    return undefined
  }
  const suggestion = field.values?.includes(String(canonical))
    ? undefined
    : closest(String(canonical), field.values ?? [])
  if (suggestion !== undefined) {
    problems.push(problemAt(path, `where: unknown value ${showValue(value)}`, suggestion))
    return undefined
  }
  return canonical
}

function convert(value: string | number | boolean, field: ScalarField): ConditionValue | undefined {
  switch (field.type) {
    case 'text':
      if (typeof value === 'boolean') return undefined
      return field.length !== undefined && /^\d+$/.test(String(value))
        ? String(value).padStart(field.length, '0')
        : String(value)
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'integer':
      return Number.isSafeInteger(value) ? value : undefined
    case 'float':
      return typeof value === 'number' ? value : undefined
    case 'timestamp':
      return toSeconds(value)
    case 'json':
      return undefined
  }
}

/** Unix seconds of a number of seconds or of an ISO 8601 date. */
function toSeconds(value: string | number | boolean): number | undefined {
  if (typeof value !== 'string') return Number.isSafeInteger(value) ? Number(value) : undefined
  const milliseconds = parseIsoDate(value)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

function expectedFor(field: ScalarField): string {
  if (field.type === 'timestamp')
    return 'unix seconds, a date such as 2026-01-01 or a date and time such as 2026-01-01T08:00:00Z'
  return field.type === 'boolean'
    ? 'true or false'
    : field.type === 'integer'
      ? 'a whole number'
      : field.type === 'float'
        ? 'a number'
        : 'text in quotes'
}

/** A condition as YAML writes it in one line, for reports: `active`, `[active, inactive]`, `{not: inactive}`. Long ones are cut. */
export function showCondition(condition: unknown): string {
  const text = show(condition)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

const longest = 100

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value !== 'object' || value === null) return value === '' ? '""' : String(value)
  const members = Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [`${key}: ${show(each)}`]))
  return `{${members.join(', ')}}`
}
