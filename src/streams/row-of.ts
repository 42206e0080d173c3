import type { z } from 'zod'
import type { Contract, ContractName, contracts } from '../contracts/contracts.ts'
import type { Choice, FieldShape, OfKind, SchemasOf } from '../contracts/field-kinds.ts'
import type { JsonCell } from './table-row.ts'

/** A row of the root table of a contract, with every column: `RowOf<'v4/product', 'nl' | 'fr'>`. */
export type RowOf<Name extends ContractName, Locale extends string = 'nl' | 'fr' | 'en'> = RowOfContract<
  (typeof contracts)[Name],
  Locale
>

export type RowOfContract<Of extends Contract, Locale extends string> =
  Of['schema'] extends z.ZodObject<infer Shape>
    ? ToRow<ColumnsOfShape<Shape, '', Locale> | ColumnsOfGiven<Of, Locale>>
    : never

type ColumnsOfGiven<Of extends Contract, Locale extends string> = Of extends {
  readonly given: { readonly shape: infer Shape extends FieldShape }
}
  ? ColumnsOfShape<SchemasOf<Shape>, '', Locale>
  : never

type NamedValue = [name: string, value: unknown]

type ToRow<Columns extends NamedValue> = { -readonly [Column in Columns as Column[0]]: Column[1] }

interface ScalarValues {
  text: string
  integer: number | bigint
  float: number
  boolean: boolean
  timestamp: Date
  json: JsonCell
}

type ColumnsOfShape<Shape, Prefix extends string, Locale extends string> = {
  [Name in keyof Shape & string]: ColumnsOfField<Shape[Name], `${Prefix}${SnakeCase<Name>}`, Locale>
}[keyof Shape & string]

/**
 * Follows `expandField`: a column for every leaf, member and locale; a list of scalars is one column, a list of objects
 * none.
 */
type ColumnsOfField<Schema, Name extends string, Locale extends string> =
  Schema extends OfKind<infer Kind>
    ? Kind extends keyof ScalarValues
      ? [Name, ScalarValues[Kind] | null]
      : Kind extends { choice: infer Value extends string }
        ? [Name, Choice<Value> | null]
        : Kind extends { object: infer Shape }
          ? ColumnsOfShape<Shape, `${Name}_`, Locale>
          : Kind extends { localized: infer Element }
            ? ColumnsOfLocales<Element, Name, Locale, Locale>
            : Kind extends { list: infer Element }
              ? ColumnsOfList<Element, Name>
              : Kind extends { required: infer Type extends keyof ScalarValues }
                ? [Name, ScalarValues[Type]]
                : never
    : never

type ColumnsOfLocales<Element, Name extends string, Each extends string, Locale extends string> = Each extends string
  ? ColumnsOfField<Element, `${Name}_${SnakeCase<Each>}`, Locale>
  : never

type ColumnsOfList<Element, Name extends string> =
  Element extends OfKind<infer Kind>
    ? Kind extends keyof ScalarValues
      ? [Name, (ScalarValues[Kind] | null)[] | null]
      : Kind extends { choice: infer Value extends string }
        ? [Name, (Choice<Value> | null)[] | null]
        : never
    : never

/** Follows `toSnakeCase`, letter by letter. */
type SnakeCase<Rest extends string, Before extends string = '', Done extends string = ''> = string extends Rest
  ? string
  : Rest extends `${infer Letter}${infer After}`
    ? SnakeCase<After, Letter, `${Done}${Break<Before, Letter, After>}${Letter extends '-' ? '_' : Lowercase<Letter>}`>
    : Done

/** A word begins at a capital after a small letter or digit, and at a capital before a small letter. */
type Break<Before extends string, Letter extends string, After extends string> =
  IsCapital<Letter> extends false
    ? ''
    : IsSmall<Before> extends true
      ? '_'
      : IsCapital<Before> extends false
        ? ''
        : After extends `${infer Next}${string}`
          ? Next extends `${number}`
            ? ''
            : IsSmall<Next> extends true
              ? '_'
              : ''
          : ''

type IsCapital<Letter extends string> = Letter extends Lowercase<Letter> ? false : true

type IsSmall<Letter extends string> = Letter extends '' | '_' | '-'
  ? false
  : Letter extends Lowercase<Letter>
    ? true
    : false
