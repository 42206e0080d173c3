import { CsvTableError, parseCsvTable, type CsvRow, type CsvTable } from '../sources/csv-table.ts'
import { closest } from '../text/choices.ts'
import type { ParsedRows, RowProblem } from './check-user-rows.ts'
import { dateTime, toUnixSeconds } from '../service/endpoints/date-time.ts'
import { checkUserRequest } from '../service/endpoints/user-request.ts'

/** Parses request bodies from CSV with a header. Empty cells are omitted; lists are joined by `|`. */
export function parseUserCsv(text: string): ParsedRows {
  const table = readTable(text)
  if (table instanceof CsvTableError) {
    const problems = [{ line: table.line, column: null, message: table.message }]
    return { rows: [], problems, missing: new Set(), mayHaveDates: true }
  }
  const columns = table.header.map(findUserColumn)
  const missing = new Set(requiredUserColumns.filter((column) => !columns.includes(column)))
  const whole = table.rows.filter(({ cells }) => cells.length === columns.length)
  return {
    rows: whole.map(({ line, cells }) => ({ line, body: toBody(columns.map(onlyFirst), cells) })),
    problems: [...checkHeader(table.header, columns, missing), ...checkLengths(table.rows, columns.length)],
    missing,
    mayHaveDates: true,
  }
}

function readTable(text: string): CsvTable | CsvTableError {
  try {
    return parseCsvTable(text)
  } catch (error) {
    if (error instanceof CsvTableError) return error
    throw error
  }
}

/** Ignores a column that the header names a second time. */
function onlyFirst(column: string | undefined, at: number, columns: Columns): string | undefined {
  return columns.indexOf(column) === at ? column : undefined
}

type Columns = readonly (string | undefined)[]

function checkHeader(header: readonly string[], columns: Columns, missing: ReadonlySet<string>): RowProblem[] {
  if (columns.every((column) => column === undefined)) {
    // Without a header the first line is a user, perhaps with a password: show nothing of it.
    return [
      toHeaderProblem(null, `expected a header with the columns ${requiredUserColumns.join(', ')}, got none of them`),
    ]
  }
  const unknown = header.filter((_, at) => columns[at] === undefined).map(toUnknownColumn)
  const repeated = columns.filter((column, at) => column !== undefined && columns.indexOf(column) < at)
  return [
    ...unknown,
    ...repeated.map((column) => toHeaderProblem(column ?? null, 'expected the column once, got it again')),
    ...[...missing].map((column) => toHeaderProblem(column, 'expected the column, got none')),
  ]
}

function toUnknownColumn(name: string): RowProblem {
  const known = Object.keys(userColumns)
  if (name === '') return toHeaderProblem(null, 'expected a name for every column, got an empty one')
  const suggestion = closest(name, known) ?? known.find((column) => column.endsWith(`.${name}`))
  const message = `unknown column ${JSON.stringify(name)}, expected ${known.join(', ')}`
  return { ...toHeaderProblem(name, message), ...(suggestion === undefined ? {} : { suggestion }) }
}

function toHeaderProblem(column: string | null, message: string): RowProblem {
  return { line: 1, column, message }
}

function checkLengths(rows: readonly CsvRow[], count: number): RowProblem[] {
  return rows.flatMap(({ line, cells }) => {
    if (cells.length === count) return []
    const hint = 'a value that holds the delimiter or a line break goes in quotes'
    return [{ line, column: null, message: `expected ${count} values as in the header, got ${cells.length} (${hint})` }]
  })
}

function toBody(columns: Columns, cells: readonly string[]): unknown {
  const body = emptyBody()
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? ''
    if (column === undefined || cell.trim() === '') continue
    setAt(body, column.split('.'), userColumns[column]?.(cell))
  }
  return body
}

function setAt(body: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) body[first] = value
  else setAt(body[first] as Record<string, unknown>, rest, value)
}

type ToValue = (cell: string) => unknown

/** Converts cells, by member of the body. A value that can't be converted stays text, and the check refuses it. */
const userColumns: Readonly<Record<string, ToValue>> = {
  email: toText,
  // Unchanged: spaces may be part of a password.
  password: (cell) => cell,
  role: toText,
  targetGroups: (cell) => cell.split('|').map(toText),
  organization: toInteger,
  isEnabled: toBoolean,
  'profile.name': toText,
  'preferences.isPublic': toBoolean,
  'preferences.language': toText,
  'subscription.type': toInteger,
  'subscription.start': toSeconds,
  'subscription.end': toSeconds,
}

const requiredUserColumns: readonly string[] = checkUserRequest(emptyBody()).map(({ path }) => path.join('.'))

function emptyBody(): Record<string, unknown> {
  return { profile: {}, preferences: {}, subscription: {} }
}

/** Finds the column of a header: `preferences.isPublic`, `preferences_is_public`, `Preferences.IsPublic`. */
function findUserColumn(name: string): string | undefined {
  return columnsByPlainName.get(toPlainName(name))
}

const columnsByPlainName = new Map(Object.keys(userColumns).map((column) => [toPlainName(column), column]))

function toPlainName(name: string): string {
  return name.toLowerCase().replaceAll(/[._\s-]|\[\]$/g, '')
}

function toText(cell: string): string {
  return cell.trim()
}

function toInteger(cell: string): unknown {
  const digits = cell.trim()
  return /^-?\d+$/.test(digits) ? Number(digits) : digits
}

function toBoolean(cell: string): unknown {
  const word = cell.trim()
  return ({ true: true, false: false } as Record<string, unknown>)[word.toLowerCase()] ?? word
}

/** Accepts unix seconds, dates and date-times. Relative times are refused, as a file may be sent more than once. */
function toSeconds(cell: string): unknown {
  const written = cell.trim()
  const isDate = /^\d+-/.test(written) && dateTime().safeParse(written).success
  return isDate ? toUnixSeconds(written, { now: new Date(0) }) : toInteger(written)
}
