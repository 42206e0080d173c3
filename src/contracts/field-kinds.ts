import type { Field, FieldNotes, ObjectForms } from './fields.ts'

export type { FieldNotes, ScalarType } from './fields.ts'

export type FieldShape = Readonly<Record<string, Field>>

export function text(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'text', description, notes }
}

export function identifier(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'text', code: true, required: true, description, notes }
}

export function integerIdentifier(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'integer', required: true, description, notes }
}

/**
 * A code: text in its canonical form, because leading zeros matter. With `length`, an all-digit code gets lost leading
 * zeros back. Several codes are joined with `|`; a `|` or `\` within a code is escaped with `\`.
 */
export function code(description: string, { length, ...notes }: FieldNotes & { readonly length?: number } = {}): Field {
  const field = { kind: 'scalar', type: 'text', code: true, description, notes } as const
  return length === undefined ? field : { ...field, length }
}

/** A code of a record without a known shape: a value of another form counts as missing. */
export function anyCode(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'text', code: true, anyForm: true, description, notes }
}

/** Text that may also be delivered as a number or boolean, which is written out. */
export function looseText(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'text', loose: true, description, notes }
}

/** Text that may also be delivered as `{ value, label }`: its label, or else its value. */
export function labelledText(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'text', labelled: true, description, notes }
}

/** One of a list of values. Others are kept and counted as drift: markets have values of their own. */
export function choice(description: string, values: readonly string[], notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'text', values, description, notes }
}

/** A whole number, exact to the digit: a safe integer, or a bigint within 64 bits. Text of such digits is accepted. */
export function integer(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'integer', description, notes }
}

/** An amount of money, in the smallest unit as delivered. It is never scaled here. */
export function money(description: string, notes: FieldNotes = {}): Field {
  const bounded = { plausible: { from: 0 }, ...notes }
  return { kind: 'scalar', type: 'integer', money: true, description, notes: bounded }
}

/** A number that may have a fraction. Text of such a number is accepted. */
export function float(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'float', description, notes }
}

export function boolean(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'boolean', description, notes }
}

/** A time in Unix seconds, as a number or as text, between the years 1 and 9999. */
export function timestamp(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'timestamp', description, notes }
}

export function json(description: string, notes: FieldNotes = {}): Field {
  return { kind: 'scalar', type: 'json', description, notes }
}

/** Text by locale code. Text without a locale, as in reference lists, suits every locale. */
export function localized(description: string, notes: FieldNotes = {}): Field {
  return localizedOf(description, text(description), notes)
}

/** A value by locale code, as in `content.nl.html`. */
export function localizedOf(description: string, element: Field, notes: FieldNotes = {}): Field {
  return { kind: 'localized', element, description, notes }
}

/** A list. A single scalar is accepted as a list of one. */
export function list(
  description: string,
  element: Field,
  { orOne = element.kind === 'scalar' ? true : undefined, ...notes }: FieldNotes & { readonly orOne?: true } = {},
): Field {
  const field = { kind: 'list', element, description, notes } as const
  return orOne ? { ...field, orOne } : field
}

/**
 * A nested object. Fields beyond `shape` are kept and counted as drift. An empty list counts as an empty object.
 * `prepare` turns other delivered forms into the object, and returns objects and unknown forms unchanged. It may turn a
 * list of texts into an object only of `bareListKey`.
 */
export function nested(
  record: string,
  description: string,
  shape: FieldShape,
  { prepare, bareKey, bareListKey, bareTextKey, ...notes }: FieldNotes & ObjectForms = {},
): Field {
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
