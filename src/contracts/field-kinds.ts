import { z } from 'zod'
import { anyLocale, isStarred, toLocaleKey } from './any-locale.ts'
import { survivesAsFloat } from './exact-number.ts'
import { joinCodes } from './joined-codes.ts'
import { firstSecond, lastSecond } from './year-range.ts'
import { showValue } from '../text/show-value.ts'

/** The type that a scalar field has in every output. Money is `integer`, codes and choices are `text`, any value is `json`. */
export type ScalarType = 'text' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'json'

/** Notes on a field, from the specification or from experience. */
export interface FieldNotes {
  /** Marked deprecated by the specification; the text says what to use instead, where it says so. */
  readonly deprecated?: true | string
  /** Signed anew at every request: no part of a comparison between two deliveries. */
  readonly volatile?: true
  /** Values beyond these bounds are kept, and told: the least and the greatest that make sense. */
  readonly plausible?: { readonly from?: number; readonly until?: number }
  /** The name of another member of the same object that has the value where this one has none, as other versions deliver it. */
  readonly orFrom?: string
  /** Why the contract accepts more than the specification writes, or what it assumes where that shows nothing. */
  readonly deviation?: string
}

interface ScalarKind {
  readonly kind: 'scalar'
  readonly type: ScalarType
  /** The values that the specification lists; others are accepted and counted as drift. */
  readonly values?: readonly string[]
  /** Codes: the declared number of digits, restored by zeros on the left. */
  readonly length?: number
  /** Codes: identifiers, whole numbers or text as delivered, always text in a row. */
  readonly code?: true
  /** Every record has it. */
  readonly required?: true
  /** An amount in whole units as delivered; the config names the unit. */
  readonly money?: true
  /** Text that also comes as a boolean. */
  readonly loose?: true
  /** Text that also comes as `{ value, label }`. */
  readonly labelled?: true
}

interface NestedKind {
  readonly kind: 'object'
  readonly record: string
  readonly shape: Record<string, z.ZodType>
  /** A whole number in place of the object is this member of it. */
  readonly bareKey?: string
  /** A list of texts in place of the object is this member of it. */
  readonly bareListKey?: string
  /** Text in place of the object is this member of it. */
  readonly bareTextKey?: string
  /** Turns other delivered forms into the object. */
  readonly prepare?: (value: unknown) => unknown
}

interface LocalizedKind {
  readonly kind: 'localized'
  readonly element: z.ZodType
}

interface ListKind {
  readonly kind: 'list'
  readonly element: z.ZodType
  /** A single element that is not in a list is accepted as a list of one. */
  readonly orOne?: true
}

export type FieldKind = { readonly description: string; readonly notes: FieldNotes } & (
  ScalarKind | NestedKind | LocalizedKind | ListKind
)

/** The type of a scalar in the canonical form of a record. */
interface ScalarOutputs {
  readonly text: string
  readonly integer: number | bigint
  readonly float: number
  readonly boolean: boolean
  /** Unix seconds. */
  readonly timestamp: number
  /** The value as it was delivered. */
  readonly json: unknown
}

/** One of the values that the specification lists, or another one: an editor offers those. */
export type Choice<Values extends string> = Values | (string & {})

/** The canonical form of a kind: a scalar type, `{ choice }`, `{ object: Shape }`, `{ list: Element }` or `{ localized: Element }`. */
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

/** A field's kind at compile time: `RowOf` is made from it. At run time there is `fieldKindOf`. */
export interface OfKind<Kind> {
  readonly [kindOfField]?: Kind
}

/** A field that may be null or missing. An interface: an intersection costs the compiler a third more time in all. */
export interface FieldSchema<Kind> extends z.ZodOptional<z.ZodType<OutputOf<Kind> | null>>, OfKind<Kind> {}

/** A scalar field that every record has. */
export interface RequiredFieldSchema<Type extends ScalarType>
  extends z.ZodType<ScalarOutputs[Type]>, OfKind<{ required: Type }> {}

const fieldKinds = new WeakMap<z.ZodType, FieldKind>()

/** The kind of a schema that this module made: the metadata that columns, types and documents come from. */
export function fieldKindOf(schema: z.ZodType): FieldKind | undefined {
  return fieldKinds.get(schema)
}

/** A localized value in its canonical form: by locale; `*` holds a value that came without a locale and suits all. */
export type Localized<Value> = Record<string, Value | null | undefined>

/** Text; a number in its place is its digits. */
export function text(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.text.optional(), { kind: 'scalar', type: 'text', description, notes })
}

/** An identifier that a record must have: text or a whole number as delivered, text in its canonical form. */
export function identifier(description: string, notes: FieldNotes = {}) {
  const schema = tolerant('an identifier (text or a whole number)', (value) => {
    const canonical = toCode(value)
    return canonical === '' ? undefined : canonical
  })
  return registerId(schema, { kind: 'scalar', type: 'text', code: true, required: true, description, notes })
}

/** A whole-number identifier that a record must have. */
export function integerIdentifier(description: string, notes: FieldNotes = {}) {
  const schema = tolerant('a whole number', toInteger)
  return registerId(schema, { kind: 'scalar', type: 'integer', required: true, description, notes })
}

/**
 * A code: text in its canonical form, whatever form it was delivered in, because leading zeros matter.
 * With `length`, an all-digit code gets its lost leading zeros back. Several codes are joined with
 * `|`, a `|` or `\` within one has a `\` before it.
 */
export function code(description: string, notes: FieldNotes & { readonly length?: number } = {}) {
  const { length, ...rest } = notes
  const schema = tolerant('a code (text or a whole number)', (value) => toAnyCode(value, length)).nullish()
  const kind = { kind: 'scalar', type: 'text', code: true, description, notes: rest } as const
  return registerScalar(schema, length === undefined ? kind : { ...kind, length })
}

/** A code of a record of which nothing is known: anything that is none counts as missing. */
export function anyCode(description: string, notes: FieldNotes = {}) {
  const schema = tolerant('a code', (value) => toAnyCode(value) ?? null).nullish()
  return registerScalar(schema, { kind: 'scalar', type: 'text', code: true, description, notes })
}

/** Text that also occurs as a number or boolean and then is written out as such. */
export function looseText(description: string, notes: FieldNotes = {}) {
  return registerScalar(shared.looseText.optional(), { kind: 'scalar', type: 'text', loose: true, description, notes })
}

/** Text that also comes as an object `{ value, label }`: its label, or its value where it has none. */
export function labelledText(description: string, notes: FieldNotes = {}) {
  const kind = { kind: 'scalar', type: 'text', labelled: true, description, notes } as const
  return registerScalar(shared.labelledText.optional(), kind)
}

/** One of a list of values. Others are accepted, kept and counted as drift: markets have values of their own. */
export function choice<const Value extends string>(
  description: string,
  values: readonly Value[],
  notes: FieldNotes = {},
): FieldSchema<{ choice: Value }> {
  const schema = registerScalar(shared.choice.optional(), { kind: 'scalar', type: 'text', values, description, notes })
  return schema as z.ZodType as FieldSchema<{ choice: Value }>
}

/** A whole number, exact to the digit: a safe integer, or a bigint within 64 bits. Text of such digits is the number. */
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

/** A number that may have a fraction. Text of such a number is the number. */
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

/** Any value, as it was delivered. */
export function json(description: string, notes: FieldNotes = {}) {
  return registerScalar(z.unknown().optional(), { kind: 'scalar', type: 'json', description, notes })
}

/** Text by locale code. Text without a locale, as reference lists have it, suits every locale. */
export function localized(description: string, notes: FieldNotes = {}) {
  return localizedOf(description, text(description), notes)
}

/** A value by locale code, `content.nl.html` for instance. */
export function localizedOf<Element extends z.ZodType>(description: string, element: Element, notes: FieldNotes = {}) {
  const schema = z
    .preprocess(
      toLocalized,
      z.record(z.string(), element, { error: (issue) => expected('an object by locale', issue.input) }),
    )
    .nullish()
  return register<{ localized: Element }>(schema, { kind: 'localized', element, description, notes })
}

/** A list; see `ListKind`. A list of scalars may come as its only element. */
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
 * A nested object. Fields that are not in `shape` are kept and counted as drift. An empty list is an empty object.
 * `prepare` turns other delivered forms into the object, a list of texts into one with `bareListKey` only; objects, and
 * what it does not know, it returns as they are.
 */
export function nested<Shape extends Record<string, z.ZodType>>(
  record: string,
  description: string,
  shape: Shape,
  notes: FieldNotes & { readonly prepare?: (value: unknown) => unknown } & Pick<
      NestedKind,
      'bareKey' | 'bareListKey' | 'bareTextKey'
    > = {},
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

/** One code, or several joined; null for an empty list, undefined for what is no code. */
function toAnyCode(value: unknown, length = 0): string | null | undefined {
  if (!Array.isArray(value)) return toCode(value, length)
  const codes = value.map((item: unknown) => toCode(item, length))
  if (codes.some((item) => item === undefined)) return undefined
  return codes.length === 0 ? null : joinCodes(codes as readonly string[])
}

/** Text as codes have it, without losing a digit; undefined for what is no code. */
function toCode(value: unknown, length = 0): string | undefined {
  if (typeof value === 'string') return digitsOnly.test(value) ? value.padStart(length, '0') : value
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return toCode(String(value), length)
  return undefined
}

/** A whole number beyond 2^53 may be rounded already: it is refused, and comes again as a bigint. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

function toLooseText(value: unknown): string | undefined {
  return typeof value === 'boolean' ? String(value) : toText(value)
}

/** The label of `{ value, label }`, or its value; null where both are. */
export function toLabelledText(value: unknown): string | null | undefined {
  if (typeof value !== 'object' || value === null) return toText(value)
  if (Array.isArray(value)) return value.length === 0 ? null : undefined
  const { label, value: plain } = value as { readonly label?: unknown; readonly value?: unknown }
  const shown = label ?? plain ?? null
  return shown === null ? null : toText(shown)
}

/** Text is a number only as one is written: without white space, a plus sign, an exponent or zeros before it. */
export function toInteger(value: unknown): number | bigint | undefined {
  if (Number.isSafeInteger(value)) return value as number
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : undefined
  if (typeof value !== 'string' || !wholeText.test(value)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : toInteger(BigInt(value))
}

/** An empty list is how some encoders write an empty object. */
function toLocalized(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return { [anyLocale]: value }
  if (Array.isArray(value)) return value.length === 0 ? {} : value
  if (typeof value !== 'object' || value === null || !Object.keys(value).some(isStarred)) return value
  return Object.fromEntries(Object.entries(value).map(([locale, member]) => [toLocaleKey(locale), member as unknown]))
}

/** A schema whose `convert` gives the canonical form of every delivered form it knows, and undefined for others. */
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

/** True for whole Unix seconds in the years 1 to 9999. */
export function isTimestamp(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= firstSecond && (value as number) <= lastSecond
}

const wholeNumber = 'a whole number of at most 64 bits'
const digitsOnly = /^\d+$/
const wholeText = /^(?:0|-?[1-9]\d{0,18})$/
const decimalText = /^(?:0|-?(?:[1-9]\d*|(?:0|[1-9]\d*)\.\d+))$/

/** The schemas that fields of one kind share: a contract has hundreds of fields, and a schema takes long to make. */
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
