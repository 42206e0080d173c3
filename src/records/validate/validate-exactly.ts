import { isLosslessNumber } from 'lossless-json'
import type { Contract } from '../../contracts/contracts.ts'
import { survivesAsFloat } from '../../contracts/exact-number.ts'
import type { Field, ScalarField } from '../../contracts/fields.ts'
import { showValue } from '../../text/show-value.ts'
import { countDuplicateKey, createDriftCounter } from '../drift.ts'
import { formatPath, type Issue } from '../reject.ts'
import { mayLoseDigits } from '../../types/json-text.ts'
import { isObject } from '../json/json-values.ts'
import { compileRepeatedKeys } from '../json/repeated-keys.ts'
import { type ParsedLine, parseText } from '../parse-line.ts'
import { nullWrongValues } from './null-wrong-values.ts'
import type { DriftPolicy, Validate, Verdict } from './validate-record.ts'
import type { Drift } from '../../manifest/manifest.ts'

export type RecordLine = Extract<ParsedLine, { kind: 'record' }>

/** A verdict, with its delivered record, parsed again if that was needed. */
export type ExactVerdict = Verdict & { readonly delivered: unknown }

/** The line of a record, as far as a verdict needs it. */
export type JudgedLine = Pick<RecordLine, 'delivered' | 'text' | 'numbers' | 'mayRepeatKeys'>
type Judge = (line: JudgedLine, drift: Drift, mayChange?: boolean) => ExactVerdict

/**
 * Judges a record with every digit of its numbers, and counts the keys that its objects have twice: both are no longer in
 * what JSON.parse has made of the line. Only lines with long numbers, or with repeated keys, pay for that.
 */
export function validateExactly(
  { fields }: Pick<Contract, 'fields'>,
  validate: Validate,
  { unknownFields, invalidValues }: Pick<DriftPolicy, 'unknownFields' | 'invalidValues'>,
): Judge {
  const judge = judgeExactly(fields, validate, invalidValues)
  const findRepeated = compileRepeatedKeys(fields, unknownFields)
  return (line, drift, mayChange) => {
    const verdict = judge(line, drift, mayChange)
    const counts = line.mayRepeatKeys && verdict.issues === null
    if (counts) findRepeated(line.text, (path) => countDuplicateKey(drift, path))
    return verdict
  }
}

/** A line whose numbers JSON.parse has rounded is parsed again. A number of the contract that would lose a digit is an issue. */
function judgeExactly(
  fields: Contract['fields'],
  validate: Validate,
  invalidValues: DriftPolicy['invalidValues'],
): Judge {
  return (line, drift, mayChange) => {
    const { delivered } = line
    if (line.numbers === 'plain' || (line.numbers === 'rounded' && !mayLoseDigits(line.text))) {
      return { ...validate(delivered, drift, mayChange), delivered }
    }
    const exact = parseExact(line)
    const lost = findLostNumbers(fields, exact)
    if (lost.length === 0) return { ...validate(exact, drift), delivered: exact }
    const next = invalidValues === 'null' && isObject(exact) ? nullWrongValues(exact, lost.map(toPath)) : null
    if (next === null) return { record: null, issues: lost.map(toIssue), isChanged: false, delivered: exact }
    const verdict = validate(next.record, drift)
    const counter = createDriftCounter(drift)
    if (verdict.issues === null) for (const { path, shown } of next.nulled) counter.invalidValue(path, shown)
    return { ...verdict, delivered: exact }
  }
}

/** The delivered record with every digit of its numbers. */
export function parseExact({ text, delivered, numbers }: Omit<JudgedLine, 'mayRepeatKeys'>): unknown {
  if (numbers !== 'rounded' || !mayLoseDigits(text)) return delivered
  const exact = parseText(text, true)
  return exact.kind === 'record' ? exact.delivered : delivered
}

interface LostNumber {
  readonly path: readonly (string | number)[]
  readonly number: string
}

/** The numbers in fields of the contract that would lose digits; `delivered` comes from `parseExactly`. */
function findLostNumbers(fields: ReadonlyMap<string, Field>, delivered: unknown): LostNumber[] {
  if (isLosslessNumber(delivered)) return [{ path: [], number: delivered.toString() }]
  return isObject(delivered) ? findInMembers(fields, delivered, []) : []
}

function findInMembers(
  fields: ReadonlyMap<string, Field>,
  object: Record<string, unknown>,
  path: LostNumber['path'],
): LostNumber[] {
  return [...fields].flatMap(([name, field]) =>
    Object.hasOwn(object, name) ? findInValue(field, object[name], [...path, name]) : [],
  )
}

function findInValue(field: Field, value: unknown, path: LostNumber['path']): LostNumber[] {
  if (field.kind === 'scalar' && field.type === 'json') return []
  if (isLosslessNumber(value)) return [{ path, number: value.toString() }]
  switch (field.kind) {
    case 'scalar':
      return findInScalar(field, value, path)
    case 'object':
      if (isObject(value)) return findInMembers(field.fields, value, path)
      return Array.isArray(value) ? value.flatMap((element) => findInValue(anyText, element, path)) : []
    case 'localized':
      if (!isObject(value)) return []
      return Object.entries(value).flatMap(([locale, element]) =>
        findInValue(field.element, element, [...path, locale]),
      )
    case 'list':
      if (!Array.isArray(value)) return field.orOne ? findInValue(field.element, value, path) : []
      return value.flatMap((element, index) => findInValue(field.element, element, [...path, index]))
  }
}

function findInScalar(field: ScalarField, value: unknown, path: LostNumber['path']): LostNumber[] {
  if (Array.isArray(value)) return value.flatMap((element, index) => findInValue(field, element, [...path, index]))
  const isLost = field.type === 'float' && typeof value === 'bigint' && !survivesAsFloat(String(value))
  return isLost ? [{ path, number: String(value) }] : []
}

function toPath({ path }: LostNumber): LostNumber['path'] {
  return path
}

function toIssue({ path, number }: LostNumber): Issue {
  const message = `expected a number whose digits are all kept (at most 17, up to 1.8e308), got number ${showDigits(number)}`
  return { code: 'invalid_type', path: formatPath(path), message }
}

function showDigits(number: string): string {
  return showValue(number).replace(/^text "(.*)"$/, '$1')
}

const anyText: ScalarField = { kind: 'scalar', type: 'text', description: '', notes: {} }
