import type { z } from 'zod'
import type { Field, FieldNotes, ObjectForms, ScalarType } from './fields.ts'

export type { FieldNotes, ScalarType } from './fields.ts'

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

/** A field's kind at compile time, from which `RowOf` is made. */
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

declare const schemaOfField: unique symbol

/** A field with the type of its schema, which is made of it at run time. */
export type FieldOf<Schema extends z.ZodType> = Field & { readonly [schemaOfField]?: Schema }

export type FieldShape = Readonly<Record<string, Field>>

/** The shape of the schema of a record of these fields. */
export type SchemasOf<Shape extends FieldShape> = { [Name in keyof Shape]: SchemaOf<Shape[Name]> }

type SchemaOf<Of> = Of extends { readonly [schemaOfField]?: infer Schema extends z.ZodType } ? Schema : z.ZodType

/** A localized value in its canonical form: values by locale. `*` has a value without a locale, which suits all. */
export type Localized<Value> = Record<string, Value | null | undefined>

export function text(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'text'>> {
  return { kind: 'scalar', type: 'text', description, notes }
}

export function identifier(description: string, notes: FieldNotes = {}): FieldOf<RequiredFieldSchema<'text'>> {
  return { kind: 'scalar', type: 'text', code: true, required: true, description, notes }
}

export function integerIdentifier(
  description: string,
  notes: FieldNotes = {},
): FieldOf<RequiredFieldSchema<'integer'>> {
  return { kind: 'scalar', type: 'integer', required: true, description, notes }
}

/**
 * A code: text in its canonical form, because leading zeros matter. With `length`, an all-digit code gets lost leading
 * zeros back. Several codes are joined with `|`; a `|` or `\` within a code is escaped with `\`.
 */
export function code(
  description: string,
  { length, ...notes }: FieldNotes & { readonly length?: number } = {},
): FieldOf<FieldSchema<'text'>> {
  const field = { kind: 'scalar', type: 'text', code: true, description, notes } as const
  return length === undefined ? field : { ...field, length }
}

/** A code of a record without a known shape: a value of another form counts as missing. */
export function anyCode(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'text'>> {
  return { kind: 'scalar', type: 'text', code: true, anyForm: true, description, notes }
}

/** Text that may also be delivered as a number or boolean, which is written out. */
export function looseText(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'text'>> {
  return { kind: 'scalar', type: 'text', loose: true, description, notes }
}

/** Text that may also be delivered as `{ value, label }`: its label, or else its value. */
export function labelledText(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'text'>> {
  return { kind: 'scalar', type: 'text', labelled: true, description, notes }
}

/** One of a list of values. Others are kept and counted as drift: markets have values of their own. */
export function choice<const Value extends string>(
  description: string,
  values: readonly Value[],
  notes: FieldNotes = {},
): FieldOf<FieldSchema<{ choice: Value }>> {
  return { kind: 'scalar', type: 'text', values, description, notes }
}

/** A whole number, exact to the digit: a safe integer, or a bigint within 64 bits. Text of such digits is accepted. */
export function integer(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'integer'>> {
  return { kind: 'scalar', type: 'integer', description, notes }
}

/** An amount of money, in the smallest unit as delivered. It is never scaled here. */
export function money(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'integer'>> {
  const bounded = { plausible: { from: 0 }, ...notes }
  return { kind: 'scalar', type: 'integer', money: true, description, notes: bounded }
}

/** A number that may have a fraction. Text of such a number is accepted. */
export function float(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'float'>> {
  return { kind: 'scalar', type: 'float', description, notes }
}

export function boolean(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'boolean'>> {
  return { kind: 'scalar', type: 'boolean', description, notes }
}

/** A time in Unix seconds, as a number or as text, between the years 1 and 9999. */
export function timestamp(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'timestamp'>> {
  return { kind: 'scalar', type: 'timestamp', description, notes }
}

export function json(description: string, notes: FieldNotes = {}): FieldOf<FieldSchema<'json'>> {
  return { kind: 'scalar', type: 'json', description, notes }
}

/** Text by locale code. Text without a locale, as in reference lists, suits every locale. */
export function localized(description: string, notes: FieldNotes = {}) {
  return localizedOf(description, text(description), notes)
}

/** A value by locale code, as in `content.nl.html`. */
export function localizedOf<Element extends Field>(
  description: string,
  element: Element,
  notes: FieldNotes = {},
): FieldOf<FieldSchema<{ localized: SchemaOf<Element> }>> {
  return { kind: 'localized', element, description, notes }
}

/** A list. A single scalar is accepted as a list of one. */
export function list<Element extends Field>(
  description: string,
  element: Element,
  { orOne = element.kind === 'scalar' ? true : undefined, ...notes }: FieldNotes & { readonly orOne?: true } = {},
): FieldOf<FieldSchema<{ list: SchemaOf<Element> }>> {
  const field = { kind: 'list', element, description, notes } as const
  return orOne ? { ...field, orOne } : field
}

/**
 * A nested object. Fields beyond `shape` are kept and counted as drift. An empty list counts as an empty object.
 * `prepare` turns other delivered forms into the object, and returns objects and unknown forms unchanged. It may turn a
 * list of texts into an object only of `bareListKey`.
 */
export function nested<Shape extends FieldShape>(
  record: string,
  description: string,
  shape: Shape,
  { prepare, bareKey, bareListKey, bareTextKey, ...notes }: FieldNotes & ObjectForms = {},
): FieldOf<FieldSchema<{ object: SchemasOf<Shape> }>> {
  const fields = new Map(Object.entries(shape))
  return {
    kind: 'object',
    record,
    fields,
    description,
    notes,
    ...(bareKey !== undefined && { bareKey }),
    ...(bareListKey !== undefined && { bareListKey }),
    ...(bareTextKey !== undefined && { bareTextKey }),
    ...(prepare !== undefined && { prepare }),
  }
}
