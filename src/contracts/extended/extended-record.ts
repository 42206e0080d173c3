import type { Localized } from '../any-locale.ts'
import type { ExtraType } from './extra-fields.ts'

/** A record with added fields, as `extendFields` adds them. */
export type ExtendedRecord<Of, Extra> = [keyof Extra] extends [never]
  ? Of
  : Omit<Of, FirstName<keyof Extra>> & {
      [Name in FirstName<keyof Extra>]?:
        ExtendedMember<Name extends keyof Of ? Of[Name] : never, Name, Extra> | null | undefined
    }

/** `photos` of `photos[].credits.name`. */
type FirstName<Path> = Path extends `${infer First}.${string}`
  ? WithoutBrackets<First>
  : Path extends string
    ? WithoutBrackets<Path>
    : never

type WithoutBrackets<Part extends string> = Part extends `${infer Name}[]` ? Name : Part

type ExtendedMember<Member, Name extends string, Extra> = Name extends keyof Extra
  ? Leaf<Extra[Name]>
  : `${Name}[]` extends keyof Extra
    ? (Leaf<Extra[`${Name}[]`]> | null | undefined)[]
    : [keyof Inside<Name, Extra>] extends [never]
      ? (ExtendedRecord<ElementOf<Member>, Inside<`${Name}[]`, Extra>> | null | undefined)[]
      : ExtendedRecord<Known<Member>, Inside<Name, Extra>>

type Inside<Part extends string, Extra> = {
  [Path in keyof Extra as Path extends `${Part}.${infer Rest}` ? Rest : never]: Extra[Path]
}

/** The member; an object without fields in place of one that only the extension has. */
type Known<Member> = [Member] extends [never] ? unknown : NonNullable<Member>

type ElementOf<Member> = [Member] extends [never]
  ? unknown
  : NonNullable<Member> extends readonly (infer Element)[]
    ? NonNullable<Element>
    : unknown

type Leaf<Type> = Type extends ExtraType ? Leaves[Type] : never

interface Leaves {
  text: string
  code: string
  integer: number | bigint
  float: number
  boolean: boolean
  timestamp: number
  localized: Localized<string>
  json: unknown
}
