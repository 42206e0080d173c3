import { closest } from '../text/choices.ts'
import { findTimeZone } from '../types/time-zone.ts'
import { problemAt, type Problem } from '../config/problem.ts'

/** The problem of an unknown time zone; null if the name is valid. */
export function checkTimeZone(name: string, path: Problem['path']): Problem | null {
  if (/^[A-Za-z]/.test(name) && findTimeZone(name) !== null) return null
  const message = `unknown time zone "${name}", expected an IANA name such as Europe/Brussels or UTC`
  return problemAt(path, message, closest(name, ['UTC', ...Intl.supportedValuesOf('timeZone')]))
}
