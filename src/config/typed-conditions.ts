import type { PathName } from '../records/tables/path-name.ts'
import type { TableShape } from '../records/tables/table-shape.ts'
import type { Conditions } from './pipeline-config.ts'

/** Conditions on the rows of a table; on any fields if the table is known only at run time. */
export type ConditionsOf<Table> = [Table] extends [TableShape]
  ? [Table] extends [never]
    ? Conditions
    : TypedConditions<Table>
  : never

/** Conditions by field path, all of which must hold; those on a list of objects by the fields of its elements. */
type TypedConditions<Table extends TableShape> = {
  /** Groups of conditions, one of which must hold as a whole. */
  readonly any?: readonly TypedConditions<Table>[] | undefined
} & {
  readonly [Path in Exclude<PathName<Table>, '$'>]?: ValueCondition | undefined
} & {
  readonly [List in keyof Table['lists'] & string as List | WithoutBrackets<List>]?:
    ListCondition<Table['lists'][List]> | undefined
}

/** Conditions on elements of lists whose names are in a path. */
export type ElementConditions<Lists> = { readonly any?: readonly ElementConditions<Lists>[] | undefined } & {
  readonly [Path in ElementPath<Lists>]?: ValueCondition | undefined
}

type ElementPath<Lists> = {
  [List in keyof Lists]: Lists[List] extends infer Table extends TableShape
    ? Exclude<PathName<Table>, '$'> | ElementPath<Table['lists']>
    : never
}[keyof Lists]

type WithoutBrackets<List extends string> = List extends `${infer Path}[]` ? Path : never

type Value = string | number | boolean | null

type ValueCondition =
  | Value
  | readonly Value[]
  | { readonly not: Value | readonly Value[] }
  | { readonly from?: string | number | undefined; readonly until?: string | number | undefined }

/** Null: the list has no element. */
type ListCondition<Table> = Table extends TableShape
  ? | null
    | { readonly not: null }
    | {
        /** Conditions that one element of the list must meet, all of them. */
        readonly some?: TypedConditions<Table> | undefined
        /** Conditions that no element of the list may meet, all of them. */
        readonly none?: TypedConditions<Table> | undefined
      }
  : never
