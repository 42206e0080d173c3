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
  readonly rows: readonly UserRow[]
  readonly problems: readonly RowProblem[]
}

/** Checks every row by the schema of the request, and that no two rows are the same user. */
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
  // If the password is a list or an object, it may be any text in the row, even a key.
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

/** Whether the password looks like a value of another column: then that column may hold the password. */
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

/** The key of a row; a row without an address gets a unique one. */
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

/** Hashes the parsed request, as defaults and member order do not make another user. */
function toFingerprint(body: UserRequest): string {
  const { password: _, email, ...rest } = userRequest.parse(body)
  const text = JSON.stringify({ ...rest, email: toUserKey(email) })
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

export interface UserRow {
  /** The line where the row begins, from 1. */
  readonly line: number
  /** The address in lower case. */
  readonly key: string
  /** Holds the password: never print or write it. */
  readonly body: UserRequest
  /** A hash of everything but the password, to detect changed rows. */
  readonly fingerprint: string
}

/** A problem in a file of users. Never holds a password. */
export interface RowProblem {
  readonly line: number
  /** A member such as `profile.name`; null for the row as a whole. */
  readonly column: string | null
  readonly message: string
  readonly suggestion?: string
}

/** Rows of a file before their values are checked. */
export interface ParsedRows {
  readonly rows: readonly { readonly line: number; readonly body: unknown }[]
  readonly problems: readonly RowProblem[]
  /** Members that no row can have, reported once: `profile.name`. */
  readonly missing: ReadonlySet<string>
  /** Whether times may be dates, as in CSV, besides unix seconds. */
  readonly mayHaveDates: boolean
}
