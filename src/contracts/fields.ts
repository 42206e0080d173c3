import { z } from 'zod'
import { fieldKindOf, type FieldNotes, type ScalarType } from './field-kinds.ts'

/** One leaf of a record. */
export interface ScalarField {
  readonly kind: 'scalar'
  readonly type: ScalarType
  readonly values?: readonly string[]
  readonly length?: number
  readonly code?: true
  readonly required?: true
  readonly money?: true
  readonly loose?: true
  readonly labelled?: true
  readonly description: string
  readonly notes: FieldNotes
}

export interface ObjectField {
  readonly kind: 'object'
  /** The name of the nested record: `photo`, `organization`. */
  readonly record: string
  readonly fields: ReadonlyMap<string, Field>
  /** A whole number in place of the object is this member of it. */
  readonly bareKey?: string
  /** A list of texts in place of the object is this member of it. */
  readonly bareListKey?: string
  /** Text in place of the object is this member of it. */
  readonly bareTextKey?: string
  /** A new object for a list in place of the object, or the list where it knows none. */
  readonly prepare?: (value: unknown) => unknown
  readonly description: string
  readonly notes: FieldNotes
}

export interface LocalizedField {
  readonly kind: 'localized'
  readonly element: Field
  readonly description: string
  readonly notes: FieldNotes
}

export interface ListField {
  readonly kind: 'list'
  readonly element: Field
  /** A single element that is not in a list is a list of one. */
  readonly orOne?: true
  readonly description: string
  readonly notes: FieldNotes
}

/** A contract's field tree: what the zod schema says, in a form that columns, checks and documents are made from. */
export type Field = ScalarField | ObjectField | LocalizedField | ListField

/** The field tree of a shape made of the field kinds; throws on a schema that is none of them. */
export function toFields(shape: Record<string, z.ZodType>): ReadonlyMap<string, Field> {
  return new Map(Object.entries(shape).map(([name, schema]) => [name, toField(schema)]))
}

function toField(schema: z.ZodType): Field {
  const kind = fieldKindOf(schema)
  if (kind === undefined) throw new TypeError('A contract holds a schema that no field kind made')
  const { description, notes } = kind
  switch (kind.kind) {
    case 'scalar':
      return kind
    case 'object':
      return {
        kind: 'object',
        record: kind.record,
        fields: toFields(kind.shape),
        ...(kind.bareKey !== undefined && { bareKey: kind.bareKey }),
        ...(kind.bareListKey !== undefined && { bareListKey: kind.bareListKey }),
        ...(kind.bareTextKey !== undefined && { bareTextKey: kind.bareTextKey }),
        ...(kind.prepare !== undefined && { prepare: kind.prepare }),
        description,
        notes,
      }
    case 'localized':
      return { kind: 'localized', element: toField(kind.element), description, notes }
    case 'list':
      return {
        kind: 'list',
        element: toField(kind.element),
        ...(kind.orOne && { orOne: kind.orOne }),
        description,
        notes,
      }
  }
}
