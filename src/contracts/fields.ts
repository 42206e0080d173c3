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

export interface FieldMeaning {
  readonly description: string
  readonly notes: FieldNotes
}

export interface ScalarField extends FieldMeaning {
  readonly kind: 'scalar'
  readonly type: ScalarType
  /** Values that the specification lists. Others are accepted and counted as drift. */
  readonly values?: readonly string[]
  /** For codes: the declared number of digits. Lost leading zeros are restored. */
  readonly length?: number
  /** A code: delivered as text or a whole number, always text in a row. */
  readonly code?: true
  readonly required?: true
  /** A code whose other forms count as missing. */
  readonly anyForm?: true
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
  /** Accepts a single element in place of a list of one. */
  readonly orOne?: true
}

/** A field of a contract's tree, from which its zod schema, columns, checks and documents are made. */
export type Field = ScalarField | ObjectField | LocalizedField | ListField
