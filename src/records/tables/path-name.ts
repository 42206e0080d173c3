import type { TableShape } from './table-shape.ts'

/** A field path that becomes columns of a table: `publicPrice`, `name.nl`, `brands[0].name`, `photos[].id`. */
export type PathName<Table> = Table extends TableShape ? PathOutsideLists<Table> | PathInLists<Table['lists']> : never

type PathOutsideLists<Table extends TableShape> =
  (keyof Table['paths'] & string) | '$' | `${Table['items']}[]` | `${Table['items']}[${number}]` | ExtraPath<Table>

type ExtraPath<Table> = Table extends { extra: infer Column extends [string, ...unknown[]] } ? Column[0] : never

type PathInLists<Lists> = {
  [List in keyof Lists & string]: Lists[List] extends infer Table extends TableShape
    ? `${OneOrAll<List>}.${Exclude<PathName<Table>, '$'>}`
    : never
}[keyof Lists & string]

/** `brands[]` or `brands[0]` */
type OneOrAll<List extends string> = List extends `${infer Path}[]` ? List | `${Path}[${number}]` : never

/** The path of a list of objects, which `count`, `has` and `as: json` take. */
export type ListName<Lists> = {
  [List in keyof Lists & string]:
    | List
    | WithoutBrackets<List>
    | (Lists[List] extends infer Table extends TableShape ? `${List}.${ListName<Table['lists']>}` : never)
}[keyof Lists & string]

type WithoutBrackets<List extends string> = List extends `${infer Path}[]` ? Path : never
