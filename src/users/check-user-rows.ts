import { createHash } from 'node:crypto'
import type { RequestProblem } from '../service/endpoints/request-issues.ts'
import {
  checkUserRequest,
  toUserKey,
  unixSeconds,
  type UserRequest,
  userRequest,
  userRoles,
} from '../service/endpoints/user-request.ts'

export interface CheckedRows {
  /** Those without a problem of their own, in the order of the file. */
  readonly rows: readonly UserRow[]
  /** Everything that is wrong, by line. */
  readonly problems: readonly RowProblem[]
}

/** Checks every row by the schema of the request, and that no two are the same user. */
export function checkUserRows({ rows, problems, missing, mayHaveDates }: ParsedRows): CheckedRows {
  const checked: UserRow[] = []
  const found = [...problems]
  const lines = new Map<string | symbol, number>()
  for (const { line, body } of rows) {
    const wrong = checkUserRequest(body).filter(({ path }) => !missing.has(path.join('.')))
    for (const problem of wrong) found.push(withDates(toRowProblem(problem, line, body), mayHaveDates))
    const key = keyOf(body)
    const first = lines.get(key)
    if (first === undefined) lines.set(key, line)
    else found.push(toRepeat(line, first))
    if (wrong.length === 0 && missing.size === 0) checked.push(toUserRow(line, body as UserRequest))
  }
  return { rows: checked, problems: found.toSorted((a, b) => a.line - b.line) }
}

function toRowProblem({ path, message, suggestion }: RequestProblem, line: number, body: unknown): RowProblem {
  // With a list or an object as the password, the password may be any text of the row, a key too.
  if (typeof passwordOf(body) === 'object' && message.startsWith('unknown key')) {
    const named = path.slice(0, -1).join('.') || null
    return { line, column: named, message: message.replace(/ ".*", expected /s, ', expected ') }
  }
  const shown = mayBeMisplaced(passwordOf(body)) ? message.replace(/, got text .*$/s, ', got another text') : message
  const column = path.length === 0 ? null : path.join('.')
  return { line, column, message: shown, ...(suggestion === undefined ? {} : { suggestion }) }
}

function withDates(problem: RowProblem, mayHaveDates: boolean): RowProblem {
  if (!mayHaveDates) return problem
  const message = problem.message.replace(`expected ${unixSeconds},`, `expected ${times},`)
  return { ...problem, message }
}

const times = `a date such as 2026-01-31, a date-time with zone, or ${unixSeconds}`

/** True if the password looks like the value of another column: then that column may hold the password. */
function mayBeMisplaced(password: unknown): boolean {
  if (typeof password !== 'string') return password !== undefined
  const word = password.trim()
  return (
    word.includes('@') || /^(?:\d+|true|false|[a-z]{2})$/i.test(word) || (userRoles as readonly string[]).includes(word)
  )
}

function passwordOf(body: unknown): unknown {
  return (body as { readonly password?: unknown }).password
}

/** The key of a row; that of one without an address equals no other. */
function keyOf(body: unknown): string | symbol {
  const { email } = body as { readonly email?: unknown }
  return typeof email === 'string' && email !== '' ? toUserKey(email) : Symbol('no address')
}

function toRepeat(line: number, first: number): RowProblem {
  return { line, column: 'email', message: `expected an address that no other row has, got that of line ${first}` }
}

function toUserRow(line: number, body: UserRequest): UserRow {
  return { line, key: toUserKey(body.email), body, fingerprint: toFingerprint(body) }
}

/** The schema fills in defaults and gives members an order, so that only what means another user counts as a change. */
function toFingerprint(body: UserRequest): string {
  const { password: _, email, ...rest } = userRequest.parse(body)
  const text = JSON.stringify({ ...rest, email: toUserKey(email) })
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** One user to be created, as a file has it. */
export interface UserRow {
  /** The line in the file where it begins, from 1. */
  readonly line: number
  /** The address in lower case. */
  readonly key: string
  /** Holds the password: nothing of it may be printed or written. */
  readonly body: UserRequest
  /** A hash of everything but the password: another one means that the row was changed. */
  readonly fingerprint: string
}

/** One thing wrong with a file of users. It never holds a password. */
export interface RowProblem {
  readonly line: number
  /** The member of the body: `profile.name`; null if it is the row as a whole. */
  readonly column: string | null
  readonly message: string
  /** The name or value that was probably meant. */
  readonly suggestion?: string
}

/** Rows as a file has them, before their values are checked. */
export interface ParsedRows {
  readonly rows: readonly { readonly line: number; readonly body: unknown }[]
  readonly problems: readonly RowProblem[]
  /** Members that no row can have, reported once: `profile.name`. */
  readonly missing: ReadonlySet<string>
  /** Times may be dates, as in CSV, and not only unix seconds. */
  readonly mayHaveDates: boolean
}
