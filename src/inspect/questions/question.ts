import type { Records } from './catalogue.ts'

/** A question with a name. Its SQL depends on the columns that are published. */
export interface Question {
  readonly name: string
  /** In words, for a list. */
  readonly title: string
  /** Throws USAGE if a column is missing. */
  toSql(this: void, records: Records): string
}
