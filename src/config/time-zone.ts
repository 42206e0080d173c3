import { closest } from '../did-you-mean.ts'
import { problemAt, type Problem } from './problem.ts'

/** The problem of a name that is no time zone; null where there is none. */
export function checkTimeZone(name: string, path: Problem['path']): Problem | null {
  if (/^[A-Za-z]/.test(name) && isKnown(name)) return null
  const message = `unknown time zone "${name}", expected an IANA name such as Europe/Brussels or UTC`
  return problemAt(path, message, closest(name, ['UTC', ...Intl.supportedValuesOf('timeZone')]))
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
