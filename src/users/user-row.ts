import type { UserRequest } from '../api/user-request.ts'

/** One user to be created, as a file has it. */
export interface UserRow {
  /** Where it begins in the file, from 1. */
  readonly line: number
  /** Which user: the address in lower case. */
  readonly key: string
  /** Holds the password: nothing of it may be printed or written. */
  readonly body: UserRequest
  /** Of everything but the password: another one means that the row was changed. */
  readonly fingerprint: string
}

/** One thing wrong with a file of users. It never holds a password. */
export interface RowProblem {
  readonly line: number
  /** The member of the body: `profile.name`; null where it is the row as a whole. */
  readonly column: string | null
  /** What is wrong, expected, got. */
  readonly message: string
  /** What was probably meant. */
  readonly suggestion?: string
}

/** Rows as a file has them, before their values are checked. */
export interface ParsedRows {
  readonly rows: readonly { readonly line: number; readonly body: unknown }[]
  readonly problems: readonly RowProblem[]
  /** Members that no row can have, told once: `profile.name`. */
  readonly missing: ReadonlySet<string>
  /** Whether dates stand for unix seconds, as they may in CSV. */
  readonly mayHaveDates: boolean
}
