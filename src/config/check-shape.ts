import type { z } from 'zod'
import { showValue } from '../text/show-value.ts'
import { isInCredential } from './credentials.ts'
import { closest, listChoices } from '../text/choices.ts'
import { problemAt, type Problem } from './problem.ts'

export interface CheckedShape<Output> {
  /** With defaults; null if the shape is wrong. */
  readonly value: Output | null
  readonly problems: readonly Problem[]
}

/** Checks one part of a config against its zod schema; every problem with its place. */
export function checkShape<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
  path: Problem['path'],
): CheckedShape<Output> {
  // It is checked once: to compile a check would take longer.
  const result = schema.safeParse(value, { jitless: true })
  if (result.success) return { value: result.data, problems: [] }
  return { value: null, problems: result.error.issues.flatMap((issue) => toProblems(issue, schema, value, path)) }
}

export function unknownKey(path: Problem['path'], key: string, known: readonly string[]): Problem {
  const isDecimal = /^\d+\)$/.test(key)
  const message = isDecimal
    ? `unknown key "${key}": a comma begins the next entry, put quotes around "decimal(…,${key}"`
    : `unknown key "${key}", expected ${formatChoices(known)}`
  return { ...problemAt([...path, key], message, closest(key, known)), atKey: true }
}

type Issue = z.core.$ZodIssue

function toProblems(issue: Issue, schema: z.ZodType, root: unknown, path: Problem['path']): Problem[] {
  const at = [...path, ...(issue.path as (string | number)[])]
  const value = valueAt(root, issue.path)
  switch (issue.code) {
    case 'unrecognized_keys': {
      const shapes = listShapes(schemaAt(schema, issue.path, root), value)
      const known = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))]
      return issue.keys.flatMap((key) => ofOtherShape(key, shapes, value, at) ?? [unknownKey(at, key, known)])
    }
    case 'invalid_key':
      return [wrongKey(at, issue)]
    case 'invalid_union':
      return unionProblems(issue, schema, root, path)
    case 'invalid_value': {
      const values = [...new Set(issue.values.map(String))]
      return [mismatch(at, formatChoices(values), value, closest(String(value), values))]
    }
    case 'too_small':
      return [mismatch(at, formatSize(issue.exact ? '' : 'at least ', issue.minimum, issue.origin), value)]
    case 'too_big':
      return [mismatch(at, formatSize(issue.exact ? '' : 'at most ', issue.maximum, issue.origin), value)]
    default:
      return [mismatch(at, describeExpected(issue), value)]
  }
}

/** The problem of a name that the user chose. */
function wrongKey(path: Problem['path'], { issues }: Extract<Issue, { code: 'invalid_key' }>): Problem {
  const expected = issues.map(describeExpected).join(', ')
  return { ...problemAt(path, `expected ${expected} in the name, got ${showValue(path.at(-1))}`), atKey: true }
}

/** The problem of a value, or of its missing key if there is no value. */
function mismatch(path: Problem['path'], expected: string, value: unknown, suggestion?: string): Problem {
  const key = path.at(-1)
  if (value === undefined && typeof key === 'string')
    return problemAt(path, `missing key "${key}", expected ${expected}, got nothing`)
  const got = isInCredential(path) && !isContainer(value) ? `a ${typeof value} that is not shown` : showValue(value)
  return problemAt(path, `expected ${expected}, got ${got}`, suggestion)
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' || value === ''
}

/** Quotes signs: a comma alone would be lost between the commas of the list. */
function formatChoices(choices: readonly string[]): string {
  const shown = choices.map((choice) => (/\w/.test(choice) ? choice : JSON.stringify(choice)))
  return shown.length === 1 ? listChoices(shown) : `one of ${listChoices(shown)}`
}

/** `at least 1 entry`, `exactly 1 character`, `at most 5`. */
function formatSize(bound: string, size: number | bigint, origin: string): string {
  const [one, many] = sizeNames[origin] ?? []
  if (one === undefined) return `${bound}${size}`
  return `${bound === '' ? 'exactly ' : bound}${size} ${Number(size) === 1 ? one : many}`
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** The problems of the branch that was meant: the one that the value fits best in kind. */
function unionProblems(issue: UnionIssue, schema: z.ZodType, root: unknown, path: Problem['path']): Problem[] {
  const at = [...path, ...(issue.path as (string | number)[])]
  const value = valueAt(root, issue.path)
  if (issue.errors.length === 0) {
    const known = discriminatorValues(schemaAt(schema, issue.path.slice(0, -1), root))
    return [mismatch(at, formatChoices(known), value, closest(String(value), known))]
  }
  const fitting = issue.errors.filter((issues) =>
    issues.every(({ path: inner, code }) => inner.length > 0 || code === 'unrecognized_keys'),
  )
  const [branch] = fitting.toSorted((a, b) => countFaults(a) - countFaults(b))
  if (branch === undefined) {
    return [mismatch(at, describeUnion(issue), value)]
  }
  const absolute = branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  return absolute.flatMap((inner) => toProblems(inner, schema, root, path))
}

function describeUnion({ errors }: UnionIssue): string {
  const expected = errors.flatMap((issues) => issues.slice(0, 1).map(describeExpected))
  return [...new Set(expected)].join(', or ')
}

function countFaults(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
}

function describeExpected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected
    case 'invalid_value':
      return listChoices([...new Set(issue.values.map(String))])
    case 'invalid_union':
      return describeUnion(issue)
    case 'unrecognized_keys':
      return `an object without ${issue.keys.join(', ')}`
    default:
      return issue.message
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
}

const sizeNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
}

type Shape = Readonly<Record<string, z.ZodType>>

interface SchemaDef {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly valueType?: z.ZodType
  readonly catchall?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly shape?: Record<string, z.ZodType>
  readonly values?: readonly unknown[]
  readonly in?: z.ZodType
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): z.ZodType {
  const def = unwrapped(schema, value)
  const [key, ...rest] = path
  if (key === undefined) return schema
  const member = def.shape?.[String(key)] ?? def.element ?? def.valueType ?? def.catchall
  return member === undefined ? schema : schemaAt(member, rest, valueAt(value, [key]))
}

/** The schema inside optional, default and union wrappers; of a union the object that the value belongs to. */
function unwrapped(schema: z.ZodType, value: unknown): SchemaDef {
  const def = schema.def as unknown as SchemaDef
  if (def.innerType !== undefined) return unwrapped(def.innerType, value)
  if (def.options === undefined) return def
  const options = def.options.map((option) => unwrapped(option, value))
  const isList = Array.isArray(value)
  const fitting = options.filter((option) => (isList ? option.element !== undefined : option.shape !== undefined))
  const format = (value as { format?: unknown } | null)?.format
  const discriminated = fitting.find((option) => formatsOf(option).includes(format))
  return discriminated ?? mostShared(fitting, value) ?? def
}

/** The one of several object schemas that has the most keys of a value. */
function mostShared(options: readonly SchemaDef[], value: unknown): SchemaDef | undefined {
  const keys = Object.keys(value ?? {})
  const shared = ({ shape = {} }: SchemaDef) => keys.filter((key) => Object.hasOwn(shape, key)).length
  return options.toSorted((a, b) => shared(b) - shared(a))[0]
}

/** The problem of a key that another shape has than the one that the value was taken for; undefined if none has it. */
function ofOtherShape(
  key: string,
  shapes: readonly Shape[],
  value: unknown,
  path: Problem['path'],
): readonly Problem[] | undefined {
  const member = shapes.find((shape) => Object.hasOwn(shape, key))?.[key]
  if (member === undefined) return undefined
  const { problems } = checkShape(member, valueAt(value, [key]), [...path, key])
  if (problems.length > 0) return problems
  const others = Object.keys(value as object).filter((other) => other !== key)
  return [{ ...problemAt([...path, key], `expected ${key} alone, got it beside ${listChoices(others)}`), atKey: true }]
}

/** The shape of the object that is meant; of several that nothing tells apart all. */
function listShapes(schema: z.ZodType, value: unknown): Shape[] {
  const { options = [] } = schema.def as unknown as SchemaDef
  const objects = options.map((option) => unwrapped(option, value)).filter(({ shape }) => shape !== undefined)
  const meant = objects.some((option) => formatsOf(option).length > 0) ? [] : objects
  return (meant.length > 1 ? meant : [unwrapped(schema, value)]).map(({ shape = {} }) => shape)
}

function discriminatorValues(schema: z.ZodType): string[] {
  const { options = [] } = schema.def as unknown as SchemaDef
  return options.flatMap((option) => formatsOf(option.def as unknown as SchemaDef)).map(String)
}

/** The values of `format`, by which outputs are distinguished. */
function formatsOf({ shape }: SchemaDef): readonly unknown[] {
  const def = shape?.['format']?.def as unknown as SchemaDef | undefined
  return def?.values ?? []
}
