import { z } from 'zod'
import { padCode } from '../codes/code-text.ts'
import { anyLocale, isStarred, toLocaleKey } from './any-locale.ts'
import { survivesAsFloat } from './exact-number.ts'
import type { Field, ListField, LocalizedField, ObjectField, ScalarField } from './fields.ts'
import { joinCodes } from './joined-codes.ts'
import { lazyEntries } from './lazy-entries.ts'
import { firstSecond, lastSecond } from './year-range.ts'
import type { StandardSchema } from './standard-schema.ts'
import { showValue } from '../text/show-value.ts'

/** A check of records that gives their canonical form. */
export interface RecordSchema<Of = unknown> extends StandardSchema<Of> {
  /** Throws an error with `issues` for a record that does not meet the contract. */
  parse(value: unknown): Of
  safeParse(value: unknown): SchemaResult<Of>
}

export type SchemaResult<Of> =
  | { readonly success: true; readonly data: Of; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: SchemaError }

export interface SchemaError {
  readonly issues: readonly {
    readonly code?: string | undefined
    readonly path: readonly PropertyKey[]
    readonly message: string
  }[]
}

/** The schema of a record of these fields: it accepts every delivered form, and its output is the canonical form. */
export function toRecordSchema(fields: ReadonlyMap<string, Field>): RecordSchema {
  return z.looseObject(toShape(fields))
}

function toShape(fields: ReadonlyMap<string, Field>): Record<string, z.ZodType> {
  return Object.fromEntries([...fields].map(([name, field]) => [name, toSchema(field)]))
}

function toSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'scalar':
      return toScalarSchema(field)
    case 'object':
      return toObjectSchema(field)
    case 'localized':
      return toLocalizedSchema(field)
    case 'list':
      return toListSchema(field)
  }
}

function toScalarSchema({
  type,
  code,
  length,
  required,
  anyForm,
  values,
  money,
  loose,
  labelled,
}: ScalarField): z.ZodType {
  if (required) return code ? shared.identifier : shared.wholeId
  if (anyForm) return shared.anyCode
  if (code) return tolerant('a code (text or a whole number)', (value) => toAnyCode(value, length)).nullish()
  return shared[values ? 'choice' : money ? 'money' : loose ? 'looseText' : labelled ? 'labelledText' : type]
}

function toObjectSchema({ fields, bareKey, bareTextKey, prepare }: ObjectField): z.ZodType {
  const object = z.looseObject(toShape(fields), { error: (issue) => expected('an object', issue.input) })
  const schema = z.preprocess((value) => {
    if (Array.isArray(value) && value.length === 0) return {}
    if (bareKey !== undefined && Number.isSafeInteger(value)) return { [bareKey]: value }
    if (bareTextKey !== undefined && typeof value === 'string') return { [bareTextKey]: value }
    return prepare === undefined ? value : prepare(value)
  }, object)
  return schema.nullish()
}

function toLocalizedSchema({ element }: LocalizedField): z.ZodType {
  const byLocale = z.record(z.string(), toSchema(element), {
    error: (issue) => expected('an object by locale', issue.input),
  })
  return z.preprocess(toLocalized, byLocale).nullish()
}

function toListSchema({ element, orOne }: ListField): z.ZodType {
  const array = z.array(toSchema(element), { error: (issue) => expected('a list', issue.input) })
  const toList = (value: unknown) => (orOne && isPresent(value) && !Array.isArray(value) ? [value] : value)
  return z.preprocess(toList, array).nullish()
}

/** One code, or several joined; null for an empty list, undefined for a value of another form. */
function toAnyCode(value: unknown, length = 0): string | null | undefined {
  if (!Array.isArray(value)) return toCode(value, length)
  const codes = value.map((item: unknown) => toCode(item, length))
  if (codes.some((item) => item === undefined)) return undefined
  return codes.length === 0 ? null : joinCodes(codes as readonly string[])
}

function toCode(value: unknown, length = 0): string | undefined {
  if (typeof value === 'string') return padCode(value, length)
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return toCode(String(value), length)
  return undefined
}

/**
 * The canonical form of text, or undefined. A whole number beyond 2^53 may be rounded already, so it is refused here
 * and is passed again as a bigint.
 */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

function toLooseText(value: unknown): string | undefined {
  return typeof value === 'boolean' ? String(value) : toText(value)
}

/** The label of `{ value, label }`, or else its value; null if it has neither, undefined for a value of another form. */
export function toLabelledText(value: unknown): string | null | undefined {
  if (typeof value !== 'object' || value === null) return toText(value)
  if (Array.isArray(value)) return value.length === 0 ? null : undefined
  const { label, value: plain } = value as { readonly label?: unknown; readonly value?: unknown }
  const shown = label ?? plain ?? null
  return shown === null ? null : toText(shown)
}

/**
 * A 64-bit integer, or undefined. Text has to be in canonical form: no white space, plus sign, exponent or leading
 * zeros.
 */
export function toInteger(value: unknown): number | bigint | undefined {
  if (Number.isSafeInteger(value)) return value as number
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : undefined
  if (typeof value !== 'string' || !wholeText.test(value)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : toInteger(BigInt(value))
}

function toLocalized(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return { [anyLocale]: value }
  if (Array.isArray(value)) return value.length === 0 ? {} : value
  if (typeof value !== 'object' || value === null || !Object.keys(value).some(isStarred)) return value
  return Object.fromEntries(Object.entries(value).map(([locale, member]) => [toLocaleKey(locale), member as unknown]))
}

/**
 * A schema of `convert`, which gives the canonical form of a delivered value, or undefined for a form that it refuses.
 */
function tolerant<Canonical>(expects: string, convert: (value: unknown) => Canonical | undefined) {
  return z.unknown().transform((value, context): Canonical => {
    const canonical = convert(value)
    if (canonical !== undefined) return canonical
    context.issues.push({ code: 'custom', input: value, message: expected(expects, value) })
    return z.NEVER
  })
}

function expected(what: string, value: unknown): string {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
  return `expected ${what}, got ${showValue(value)}${isRounded ? ' (beyond 2^53 every digit has to be written out)' : ''}`
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined
}

export function toFloat(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'bigint') return survivesAsFloat(String(value)) ? Number(value) : undefined
  if (typeof value !== 'string' || !decimalText.test(value)) return undefined
  return survivesAsFloat(value) ? Number(value) : undefined
}

export function toSecond(value: unknown): number | undefined {
  const second = typeof value === 'string' ? toInteger(value) : value
  return isTimestamp(second) ? second : undefined
}

export function isTimestamp(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= firstSecond && (value as number) <= lastSecond
}

const wholeNumber = 'a whole number of at most 64 bits'
const wholeText = /^(?:0|-?[1-9]\d{0,18})$/
const decimalText = /^(?:0|-?(?:[1-9]\d*|(?:0|[1-9]\d*)\.\d+))$/

/** Schemas that fields of one kind share: a contract has hundreds of fields, and making a schema takes long. */
const shared = lazyEntries({
  identifier: () =>
    tolerant('an identifier (text or a whole number)', (value) => {
      const canonical = toCode(value)
      return canonical === '' ? undefined : canonical
    }),
  wholeId: () => tolerant('a whole number', toInteger),
  anyCode: () => tolerant('a code', (value) => toAnyCode(value) ?? null).nullish(),
  text: () => tolerant('text', toText).nullish(),
  looseText: () => tolerant('text, a number or a boolean', toLooseText).nullish(),
  labelledText: () => tolerant('text, or an object { value, label }', toLabelledText).nullish(),
  choice: () => tolerant('text', toLooseText).nullish(),
  integer: () => tolerant(wholeNumber, toInteger).nullish(),
  money: () => tolerant(`an amount as ${wholeNumber}`, toInteger).nullish(),
  float: () => tolerant('a number', toFloat).nullish(),
  boolean: () => z.boolean({ error: (issue) => expected('true or false', issue.input) }).nullish(),
  timestamp: () => tolerant('a unix timestamp in whole seconds (years 1 to 9999)', toSecond).nullish(),
  json: () => z.unknown().optional(),
})
