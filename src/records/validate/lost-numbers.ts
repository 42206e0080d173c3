import { isLosslessNumber } from 'lossless-json'
import { survivesAsFloat } from '../../contracts/exact-number.ts'
import type { Field, ScalarField } from '../../contracts/fields.ts'
import { showValue } from '../../messages/show-value.ts'
import type { Issue } from '../issue.ts'
import { isObject } from '../json/json-values.ts'

/** The numbers in fields of the contract that would lose digits; `delivered` comes from `parseExactly`. */
export function findLostNumbers(fields: ReadonlyMap<string, Field>, delivered: unknown): Issue[] {
  if (isLosslessNumber(delivered)) return [toIssue(delivered.toString(), '')]
  return isObject(delivered) ? findInMembers(fields, delivered, '') : []
}

function findInMembers(fields: ReadonlyMap<string, Field>, object: Record<string, unknown>, prefix: string): Issue[] {
  return [...fields].flatMap(([name, field]) =>
    Object.hasOwn(object, name) ? findInValue(field, object[name], prefix + name) : [],
  )
}

function findInValue(field: Field, value: unknown, path: string): Issue[] {
  if (isLosslessNumber(value)) return [toIssue(value.toString(), path)]
  switch (field.kind) {
    case 'scalar':
      return findInScalar(field, value, path)
    case 'object':
      if (isObject(value)) return findInMembers(field.fields, value, `${path}.`)
      return Array.isArray(value) ? value.flatMap((element) => findInValue(anyText, element, path)) : []
    case 'localized':
      if (!isObject(value)) return []
      return Object.entries(value).flatMap(([locale, element]) =>
        findInValue(field.element, element, `${path}.${locale}`),
      )
    case 'list':
      if (!Array.isArray(value)) return field.orOne ? findInValue(field.element, value, path) : []
      return value.flatMap((element, index) => findInValue(field.element, element, `${path}[${index}]`))
  }
}

function findInScalar(field: ScalarField, value: unknown, path: string): Issue[] {
  if (Array.isArray(value)) return value.flatMap((element, index) => findInValue(field, element, `${path}[${index}]`))
  const isLost = field.type === 'float' && typeof value === 'bigint' && !survivesAsFloat(String(value))
  return isLost ? [toIssue(String(value), path)] : []
}

function toIssue(number: string, path: string): Issue {
  const message = `expected a number whose digits are all kept (at most 17, up to 1.8e308), got number ${showDigits(number)}`
  return { code: 'invalid_type', path, message }
}

function showDigits(number: string): string {
  return showValue(number).replace(/^text "(.*)"$/, '$1')
}

const anyText: ScalarField = { kind: 'scalar', type: 'text', description: '', notes: {} }
