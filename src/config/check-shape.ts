import type { z } from 'zod'
import { showValue } from '../contracts/show-value.ts'
import { closest } from './did-you-mean.ts'
import { listChoices } from './list-choices.ts'
import { problemAt, type Problem } from './problem.ts'

export interface CheckedShape<Output> {
  /** With defaults; null where the shape is wrong. */
  readonly value: Output | null
  readonly problems: readonly Problem[]
}

/** Checks one part of a config against its zod schema; every problem with its place. */
export function checkShape<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
  path: Problem['path'],
): CheckedShape<Output> {
  const result = schema.safeParse(value)
  if (result.success) return { value: result.data, problems: [] }
  return { value: null, problems: result.error.issues.flatMap((issue) => toProblems(issue, schema, value, path)) }
}

/** The problem of an unknown key among known ones. */
export function unknownKey(path: Problem['path'], key: string, known: readonly string[]): Problem {
  const message = `unknown key "${key}", expected one of ${listChoices(known)}`
  return { ...problemAt([...path, key], message, closest(key, known)), atKey: true }
}

type Issue = z.core.$ZodIssue

function toProblems(issue: Issue, schema: z.ZodType, root: unknown, path: Problem['path']): Problem[] {
  const at = [...path, ...(issue.path as (string | number)[])]
  const value = valueAt(root, issue.path)
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownKeys(schemaAt(schema, issue.path, root), value)
      return issue.keys.map((key) => unknownKey(at, key, known))
    }
    case 'invalid_union':
      return unionProblems(issue, schema, root, path)
    case 'invalid_value': {
      const message = `expected one of ${listChoices(issue.values.map(String))}, got ${showValue(value)}`
      return [problemAt(at, message, closest(String(value), issue.values.map(String)))]
    }
    case 'invalid_type':
      return [problemAt(at, `expected ${typeNames[issue.expected] ?? issue.expected}, got ${showValue(value)}`)]
    case 'too_small':
      return [
        problemAt(
          at,
          `expected at least ${issue.minimum} ${sizeNames[issue.origin] ?? ''}`.trimEnd() + `, got ${showValue(value)}`,
        ),
      ]
    case 'too_big':
      return [
        problemAt(
          at,
          `expected at most ${issue.maximum} ${sizeNames[issue.origin] ?? ''}`.trimEnd() + `, got ${showValue(value)}`,
        ),
      ]
    default:
      return [problemAt(at, `${issue.message}, got ${showValue(value)}`)]
  }
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** The problems of the branch that was meant: the one that the value fits best in kind. */
function unionProblems(issue: UnionIssue, schema: z.ZodType, root: unknown, path: Problem['path']): Problem[] {
  const at = [...path, ...(issue.path as (string | number)[])]
  const value = valueAt(root, issue.path)
  if (issue.errors.length === 0) {
    const known = discriminatorValues(schemaAt(schema, issue.path.slice(0, -1), root))
    const message = `expected ${listChoices(known)}, got ${showValue(value)}`
    return [problemAt(at, message, closest(String(value), known))]
  }
  const branch = issue.errors.find((issues) =>
    issues.every(({ path: inner, code }) => inner.length > 0 || code === 'unrecognized_keys'),
  )
  if (branch === undefined) {
    const expected = issue.errors.flatMap((issues) => issues.slice(0, 1).map(describeExpected))
    return [problemAt(at, `expected ${[...new Set(expected)].join(', or ')}, got ${showValue(value)}`)]
  }
  const absolute = branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
  return absolute.flatMap((inner) => toProblems(inner, schema, root, path))
}

function describeExpected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected
    case 'invalid_value':
      return issue.values.join(', ')
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

const sizeNames: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' }

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
}

interface SchemaDef {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly shape?: Record<string, z.ZodType>
  readonly values?: readonly unknown[]
  readonly in?: z.ZodType
}

/** The schema that a path leads to. */
function schemaAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): z.ZodType {
  const def = unwrapped(schema, value)
  const [key, ...rest] = path
  if (key === undefined) return schema
  const member = def.shape?.[String(key)] ?? def.element ?? def.valueType
  return member === undefined ? schema : schemaAt(member, rest, valueAt(value, [key]))
}

/** What is inside optional, default and union wrappers; of a union the object that the value belongs to. */
function unwrapped(schema: z.ZodType, value: unknown): SchemaDef {
  const def = schema.def as unknown as SchemaDef
  if (def.innerType !== undefined) return unwrapped(def.innerType, value)
  if (def.options === undefined) return def
  const options = def.options.map((option) => unwrapped(option, value))
  const isList = Array.isArray(value)
  const fitting = options.filter((option) => (isList ? option.element !== undefined : option.shape !== undefined))
  const format = (value as { format?: unknown } | null)?.format
  const discriminated = fitting.find((option) => formatsOf(option).includes(format))
  return discriminated ?? fitting[0] ?? def
}

function knownKeys(schema: z.ZodType, value: unknown): string[] {
  return Object.keys(unwrapped(schema, value).shape ?? {})
}

function discriminatorValues(schema: z.ZodType): string[] {
  const { options = [] } = schema.def as unknown as SchemaDef
  return options.flatMap((option) => formatsOf(option.def as unknown as SchemaDef)).map(String)
}

/** The values of `format`, by which outputs are told apart. */
function formatsOf({ shape }: SchemaDef): readonly unknown[] {
  const def = shape?.['format']?.def as unknown as SchemaDef | undefined
  return def?.values ?? []
}
