import { dateTime, toUnixSeconds } from '../service/endpoints/date-time.ts'
import { checkUserRequest } from '../service/endpoints/user-request.ts'

type ToValue = (cell: string) => unknown

/** The conversion of a cell, by the member of the body. A value that can't be converted stays text, for the check to refuse. */
export const userColumns: Readonly<Record<string, ToValue>> = {
  email: toText,
  // As it is: spaces may belong to it.
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

/** The columns without which no row is right. */
export const requiredUserColumns: readonly string[] = checkUserRequest(emptyBody()).map(({ path }) => path.join('.'))

/** The objects that every body has. */
export function emptyBody(): Record<string, unknown> {
  return { profile: {}, preferences: {}, subscription: {} }
}

/** The column that a header names: `preferences.isPublic`, `preferences_is_public`, `Preferences.IsPublic`. */
export function findUserColumn(name: string): string | undefined {
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

/** Unix seconds, a date or a date-time; nothing relative, as a file is sent more than once. */
function toSeconds(cell: string): unknown {
  const written = cell.trim()
  const isDate = /^\d+-/.test(written) && dateTime().safeParse(written).success
  return isDate ? toUnixSeconds(written, { now: new Date(0) }) : toInteger(written)
}
