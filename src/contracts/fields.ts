import type { z } from 'zod'
import { fieldKindOf, type FieldMeaning, type ObjectForms, type ScalarKind } from './field-kinds.ts'

export interface ScalarField extends ScalarKind, FieldMeaning {}

export interface ObjectField extends ObjectForms, FieldMeaning {
  readonly kind: 'object'
  readonly record: string
  readonly fields: ReadonlyMap<string, Field>
}

export interface LocalizedField extends FieldMeaning {
  readonly kind: 'localized'
  readonly element: Field
}

export interface ListField extends FieldMeaning {
  readonly kind: 'list'
  readonly element: Field
  readonly orOne?: true
}

/**
 * A field of a contract's tree. It says the same as the zod schema, in a form that columns, checks and documents are
 * made from.
 */
export type Field = ScalarField | ObjectField | LocalizedField | ListField

/** The field tree of a shape. Throws TypeError if a schema isn't made by a field kind. */
export function toFields(shape: Record<string, z.ZodType>): ReadonlyMap<string, Field> {
  return new Map(Object.entries(shape).map(([name, schema]) => [name, toField(schema)]))
}

function toField(schema: z.ZodType): Field {
  const kind = fieldKindOf(schema)
  if (kind === undefined) throw new TypeError('A contract holds a schema that no field kind made')
  switch (kind.kind) {
    case 'scalar':
      return kind
    case 'object': {
      const { shape, ...rest } = kind
      return { ...rest, fields: toFields(shape) }
    }
    case 'localized':
    case 'list':
      return { ...kind, element: toField(kind.element) }
  }
}
