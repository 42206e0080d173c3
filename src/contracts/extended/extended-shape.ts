import type { z } from 'zod'
import type { ExtraType } from './extra-fields.ts'
import type { FieldSchema, OfKind } from '../field-kinds.ts'

/** The type of the members of `Shape` with the fields of `Extra`, as `extendShape` adds them. */
export type ExtendedShapeOf<Shape, Extra> = {
  [Name in keyof Shape | FirstName<keyof Extra>]: Name extends FirstName<keyof Extra>
    ? ExtendedMember<Name extends keyof Shape ? Shape[Name] : never, Name, Extra>
    : Name extends keyof Shape
      ? Shape[Name] extends z.ZodType
        ? Shape[Name]
        : never
      : never
}

/** `photos` of `photos[].credits.name`. */
type FirstName<Path> = Path extends `${infer First}.${string}`
  ? WithoutBrackets<First>
  : Path extends string
    ? WithoutBrackets<Path>
    : never

type WithoutBrackets<Part extends string> = Part extends `${infer Name}[]` ? Name : Part

type ExtendedMember<Schema, Name extends string, Extra> = Name extends keyof Extra
  ? LeafOf<Extra[Name]>
  : `${Name}[]` extends keyof Extra
    ? ListOf<LeafOf<Extra[`${Name}[]`]>>
    : [keyof Inside<Name, Extra>] extends [never]
      ? ListOf<ObjectOf<ExtendedShapeOf<MembersOf<ElementOf<Schema>>, Inside<`${Name}[]`, Extra>>>>
      : // oxlint-disable-next-line typescript/no-generated-empty-object-type -- the fields are not known here
        ObjectOf<ExtendedShapeOf<MembersOf<Schema>, Inside<Name, Extra>>>

type Inside<Part extends string, Extra> = {
  [Path in keyof Extra as Path extends `${Part}.${infer Rest}` ? Rest : never]: Extra[Path]
}

type MembersOf<Schema> = [Schema] extends [OfKind<{ object: infer Shape }>] ? Shape : unknown

type ElementOf<Schema> = [Schema] extends [OfKind<{ list: infer Element }>] ? Element : never

interface ObjectOf<Members> extends FieldSchema<{ object: Members }> {}

interface ListOf<Element> extends FieldSchema<{ list: Element }> {}

type LeafOf<Type> = Type extends ExtraType ? LeafSchemas[Type] : never

interface LeafSchemas {
  text: FieldSchema<'text'>
  code: FieldSchema<'text'>
  integer: FieldSchema<'integer'>
  float: FieldSchema<'float'>
  boolean: FieldSchema<'boolean'>
  timestamp: FieldSchema<'timestamp'>
  localized: FieldSchema<{ localized: FieldSchema<'text'> }>
  json: FieldSchema<'json'>
}
