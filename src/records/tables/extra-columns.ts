import type { ExtraType } from '../../contracts/extended/extra-fields.ts'
import type { JsonCell } from '../../types/json-cell.ts'
import type { SnakePath, Suffix } from './snake-case.ts'

/** The fields that a contract was extended by; never for a contract without any. */
export type ExtraOf<Of> = Of extends { readonly extra: infer Extra extends Readonly<Record<string, ExtraType>> }
  ? Extra
  : never

export type ExtraColumn = [path: string, name: string, value: unknown]

/** The columns that added fields become in the table of a list; those in lists inside it are in tables of their own. */
export type ExtraColumns<Extra, Each extends string, Locale extends string> = [Extra] extends [never]
  ? never
  : { [Path in keyof Extra & string]: ExtraAt<Relative<Path, Each>, Extra[Path], Locale> }[keyof Extra & string]

type Relative<Path extends string, Each extends string> = Each extends ''
  ? Path
  : Path extends `${Each}.${infer Rest}`
    ? Rest
    : never

type ExtraAt<Path extends string, Type, Locale extends string> = Path extends `${string}[].${string}`
  ? never
  : Path extends `${infer List}[]`
    ? [Path, SnakePath<List>, (ExtraValue<Type> | null)[] | null]
    : Type extends 'localized'
      ? [Path, `${SnakePath<Path>}_${Suffix<Locale>}`, string | null]
      : [Path, SnakePath<Path>, ExtraValue<Type> | null]

type ExtraValue<Type> = Type extends keyof ExtraValues ? ExtraValues[Type] : never

interface ExtraValues {
  text: string
  code: string
  integer: number | bigint
  float: number
  boolean: boolean
  timestamp: Date
  localized: string
  json: JsonCell
}
