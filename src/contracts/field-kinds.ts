import { z } from 'zod'
import { anyLocale, isStarred, toLocaleKey } from './any-locale.ts'
import { survivesAsFloat } from './exact-number.ts'
import { joinCodes } from './joined-codes.ts'
import { firstSecond, lastSecond } from './year-range.ts'
import { showValue } from '../text/show-value.ts'

/** The type of a scalar field in every output. Money is `integer`, codes and choices are `text`, any value is `json`. */
export type ScalarType = 'text' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'json'

export interface FieldNotes {
  /** Marked deprecated by the specification. The text names the replacement, if there is one. */
  readonly deprecated?: true | string
  /** Signed anew at every request, so left out when deliveries are compared. */
  readonly volatile?: true
  /** The least and the greatest value that make sense. Others are kept and reported. */
  readonly plausible?: { readonly from?: number; readonly until?: number }
  /**
   * Another member of the same object, from which a value is taken if this one is missing, as other versions deliver it
   * there.
   */
  readonly orFrom?: string
  /**
   * Why the contract accepts more than the specification writes, or what it assumes where the specification shows
   * nothing.
   */
  readonly deviation?: string
}

export interface ScalarKind {
  readonly kind: 'scalar'
  readonly type: ScalarType
  /** Values that the specification lists. Others are accepted and counted as drift. */
  readonly values?: readonly string[]
  /** For codes: the declared number of digits. Lost leading zeros are restored. */
  readonly length?: number
  /** A code: delivered as text or a whole number, always text in a row. */
  readonly code?: true
  readonly required?: true
  /** An amount in whole units as delivered; the config names the unit. */
  readonly money?: true
  /** Text that may also be delivered as a boolean. */
  readonly loose?: true
  /** Text that may also be delivered as `{ value, label }`. */
  readonly labelled?: true
}

/** Delivered forms that become an object. */
export interface ObjectForms {
  /** The member that a whole number in place of the object becomes. */
  readonly bareKey?: string
  /** The member that a list of texts in place of the object becomes. */
  readonly bareListKey?: string
  /** The member that a text in place of the object becomes. */
  readonly bareTextKey?: string
  /** Turns other delivered forms into the object. */
  readonly prepare?: (value: unknown) => unknown
}

interface NestedKind extends ObjectForms {
  readonly kind: 'object'
  readonly record: string
  readonly shape: Record<string, z.ZodType>
}

interface LocalizedKind {
  readonly kind: 'localized'
  readonly element: z.ZodType
}

interface ListKind {
  readonly kind: 'list'
  readonly element: z.ZodType
  /** Accepts a single element in place of a list of one. */
  readonly orOne?: true
}

export interface FieldMeaning {
  readonly description: string
  readonly notes: FieldNotes
}

export type FieldKind = FieldMeaning & (ScalarKind | NestedKind | LocalizedKind | ListKind)

interface ScalarOutputs {
  readonly text: string
  readonly integer: number | bigint
  readonly float: number
  readonly boolean: boolean
  readonly timestamp: number
  readonly json: unknown
}

/** A listed value, which editors suggest, or any other text. */
export type Choice<Values extends string> = Values | (string & {})

type OutputOf<Kind> = Kind extends ScalarType
  ? ScalarOutputs[Kind]
  : Kind extends { choice: infer Values extends string }
    ? Choice<Values>
    : Kind extends { object: infer Shape extends z.ZodRawShape }
      ? z.output<z.ZodObject<Shape, z.core.$loose>>
      : Kind extends { list: infer Element }
        ? z.output<Element>[]
        : Kind extends { localized: infer Element }
          ? Localized<z.output<Element>>
          : never

declare const kindOfField: unique symbol

/** A field's kind at compile time, from which `RowOf` is made. `fieldKindOf` gives it at run time. */
export interface OfKind<Kind> {
  readonly [kindOfField]?: Kind
}

/**
 * A field that may be null or missing. An intersection in place of the interface makes the whole compilation a third
 * slower.
 */
export interface FieldSchema<Kind> extends z.ZodOptional<z.ZodType<OutputOf<Kind> | null>>, OfKind<Kind> {}

export interface RequiredFieldSchema<Type extends ScalarType>
  extends z.ZodType<ScalarOutputs[Type]>, OfKind<{ required: Type }> {}

const fieldKinds = new WeakMap<z.ZodType, FieldKind>()

/** The kind of a schema made here: the metadata of columns, types and documents. Undefined for other schemas. */
export function fieldKindOf(schema: z.ZodType): FieldKind | undefined {
  return fieldKinds.get(schema)
}

/** A localized value in its canonical form: values by locale. `*` has a value without a locale, which suits all. */
export type Localized<Value> = Record<string, Value | null | undefined>

export function text(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.text.optional(), { kind: 'scalar', type: 'text', description, notes })
}

export function identifier(description: string, notes: FieldNotes = {}) {
  const schema = tolerant('an identifier (text or a whole number)', (value) => {
    const canonical = toCode(value)
    return canonical === '' ? undefined : canonical
  })
  return registerId(schema, { kind: 'scalar', type: 'text', code: true, required: true, description, notes })
}

export function integerIdentifier(description: string, notes: FieldNotes = {}) {
  const schema = tolerant('a whole number', toInteger)
  return registerId(schema, { kind: 'scalar', type: 'integer', required: true, description, notes })
}

/**
 * A code: text in its canonical form, because leading zeros matter. With `length`, an all-digit code gets lost leading
 * zeros back. Several codes are joined with `|`; a `|` or `\` within a code is escaped with `\`.
 */
export function code(description: string, notes: FieldNotes & { readonly length?: number } = {}) {
  const { length, ...rest } = notes
  const schema = tolerant('a code (text or a whole number)', (value) => toAnyCode(value, length)).nullish()
  const kind = { kind: 'scalar', type: 'text', code: true, description, notes: rest } as const
  return registerScalar(schema, length === undefined ? kind : { ...kind, length })
}

/** A code of a record without a known shape: a value of another form counts as missing. */
export function anyCode(description: string, notes: FieldNotes = {}) {
  const schema = tolerant('a code', (value) => toAnyCode(value) ?? null).nullish()
  return registerScalar(schema, { kind: 'scalar', type: 'text', code: true, description, notes })
}

/** Text that may also be delivered as a number or boolean, which is written out. */
export function looseText(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.looseText.optional(), { kind: 'scalar', type: 'text', loose: true, description, notes })
}

/** Text that may also be delivered as `{ value, label }`: its label, or else its value. */
export function labelledText(description: string, notes: FieldNotes = {}) {
  const kind = { kind: 'scalar', type: 'text', labelled: true, description, notes } as const
  return registerScalar(shared.labelledText.optional(), kind)
}

/** One of a list of values. Others are kept and counted as drift: markets have values of their own. */
export function choice<const Value extends string>(
  description: string,
  values: readonly Value[],
  notes: FieldNotes = {},
): FieldSchema<{ choice: Value }> {
  const schema = registerScalar(shared.choice.optional(), { kind: 'scalar', type: 'text', values, description, notes })
  return schema as z.ZodType as FieldSchema<{ choice: Value }>
}

/** A whole number, exact to the digit: a safe integer, or a bigint within 64 bits. Text of such digits is accepted. */
export function integer(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.integer.optional(), { kind: 'scalar', type: 'integer', description, notes })
}

/** An amount of money, in the smallest unit as delivered. It is never scaled here. */
export function money(description: string, notes: FieldNotes = {}) {
  const bounded = { plausible: { from: 0 }, ...notes }
  return registerScalar(shared.money.optional(), {
    kind: 'scalar',
    type: 'integer',
    money: true,
    description,
    notes: bounded,
  })
}

/** A number that may have a fraction. Text of such a number is accepted. */
export function float(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.float.optional(), { kind: 'scalar', type: 'float', description, notes })
}

export function boolean(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.boolean.optional(), { kind: 'scalar', type: 'boolean', description, notes })
}

/** A time in Unix seconds, as a number or as text, between the years 1 and 9999. */
export function timestamp(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.timestamp.optional(), { kind: 'scalar', type: 'timestamp', description, notes })
}

export function json(description: string, notes: FieldNotes = {}) {
  return registerScalar(z.unknown().optional(), { kind: 'scalar', type: 'json', description, notes })
}

/** Text by locale code. Text without a locale, as in reference lists, suits every locale. */
export function localized(description: string, notes: FieldNotes = {}) {
  return localizedOf(description, text(description), notes)
}

/** A value by locale code, as in `content.nl.html`. */
export function localizedOf<Element extends z.ZodType>(description: string, element: Element, notes: FieldNotes = {}) {
  const schema = z
    .preprocess(
      toLocalized,
      z.record(z.string(), element, { error: (issue) => expected('an object by locale', issue.input) }),
    )
    .nullish()
  return register<{ localized: Element }>(schema, { kind: 'localized', element, description, notes })
}

/** A list. A single scalar is accepted as a list of one. */
export function list<Element extends z.ZodType>(
  description: string,
  element: Element,
  notes: FieldNotes & { readonly orOne?: true } = {},
) {
  const { orOne = fieldKindOf(element)?.kind === 'scalar' ? true : undefined, ...rest } = notes
  const array = z.array(element, { error: (issue) => expected('a list', issue.input) })
  const schema = z.preprocess((value) => (orOne && isPresent(value) && !Array.isArray(value) ? [value] : value), array)
  const kind = { kind: 'list', element, description, notes: rest } as const
  return register<{ list: Element }>(schema.nullish(), orOne ? { ...kind, orOne } : kind)
}

/**
 * A nested object. Fields beyond `shape` are kept and counted as drift. An empty list counts as an empty object.
 * `prepare` turns other delivered forms into the object, and returns objects and unknown forms unchanged. It may turn a
 * list of texts into an object only of `bareListKey`.
 */
export function nested<Shape extends Record<string, z.ZodType>>(
  record: string,
  description: string,
  shape: Shape,
  notes: FieldNotes & ObjectForms = {},
) {
  const { prepare, bareKey, bareListKey, bareTextKey, ...rest } = notes
  const object = z.looseObject(shape, { error: (issue) => expected('an object', issue.input) })
  const schema = z.preprocess((value) => {
    if (Array.isArray(value) && value.length === 0) return {}
    if (bareKey !== undefined && Number.isSafeInteger(value)) return { [bareKey]: value }
    if (bareTextKey !== undefined && typeof value === 'string') return { [bareTextKey]: value }
    return prepare === undefined ? value : prepare(value)
  }, object)
  const kind = { kind: 'object', record, shape, description, notes: rest } as const
  const forms = {
    ...(bareKey !== undefined && { bareKey }),
    ...(bareListKey !== undefined && { bareListKey }),
    ...(bareTextKey !== undefined && { bareTextKey }),
    ...(prepare !== undefined && { prepare }),
  }
  return register<{ object: Shape }>(schema.nullish(), { ...kind, ...forms })
}

/** One code, or several joined; null for an empty list, undefined for a value of another form. */
function toAnyCode(value: unknown, length = 0): string | null | undefined {
  if (!Array.isArray(value)) return toCode(value, length)
  const codes = value.map((item: unknown) => toCode(item, length))
  if (codes.some((item) => item === undefined)) return undefined
  return codes.length === 0 ? null : joinCodes(codes as readonly string[])
}

function toCode(value: unknown, length = 0): string | undefined {
  if (typeof value === 'string') return digitsOnly.test(value) ? value.padStart(length, '0') : value
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

type KindOf<Type extends ScalarType> = FieldKind & { readonly kind: 'scalar'; readonly type: Type }

function registerScalar<Type extends ScalarType>(
  schema: z.ZodType<ScalarOutputs[Type] | null | undefined>,
  kind: KindOf<Type>,
): FieldSchema<Type> {
  fieldKinds.set(schema, kind)
  return schema as z.ZodType as FieldSchema<Type>
}

function registerId<Type extends ScalarType>(
  schema: z.ZodType<ScalarOutputs[Type]>,
  kind: KindOf<Type>,
): RequiredFieldSchema<Type> {
  fieldKinds.set(schema, kind)
  return schema
}

function register<Kind>(schema: z.ZodType<OutputOf<Kind> | null | undefined>, kind: FieldKind): FieldSchema<Kind> {
  fieldKinds.set(schema, kind)
  return schema as FieldSchema<Kind>
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
const digitsOnly = /^\d+$/
const wholeText = /^(?:0|-?[1-9]\d{0,18})$/
const decimalText = /^(?:0|-?(?:[1-9]\d*|(?:0|[1-9]\d*)\.\d+))$/

/** Schemas that fields of one kind share: a contract has hundreds of fields, and making a schema takes long. */
const shared = {
  text: tolerant('text', toText).nullable(),
  looseText: tolerant('text, a number or a boolean', toLooseText).nullable(),
  labelledText: tolerant('text, or an object { value, label }', toLabelledText).nullable(),
  choice: tolerant('text', toLooseText).nullable(),
  integer: tolerant(wholeNumber, toInteger).nullable(),
  money: tolerant(`an amount as ${wholeNumber}`, toInteger).nullable(),
  float: tolerant('a number', toFloat).nullable(),
  boolean: z.boolean({ error: (issue) => expected('true or false', issue.input) }).nullable(),
  timestamp: tolerant('a unix timestamp in whole seconds (years 1 to 9999)', toSecond).nullable(),
}
