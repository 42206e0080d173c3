import { compareNumber, splitNumber } from 'lossless-json'

/**
 * True if a number written as JSON survives as a 64-bit float: the nearest float, rounded to as many significant digits
 * as the text has, is the same number. A float in the middle between two such numbers counts as both. Every number of
 * up to 15 digits survives within a float's range. One of more than 17 digits survives only if it is whole and the
 * float has exactly its value.
 */
export function survivesAsFloat(text: string): boolean {
  if (shortNumber.test(text)) return true
  const number = Number(text)
  if (!Number.isFinite(number)) return false
  if (plainWhole.test(text) && BigInt(number) === BigInt(text)) return true
  const { digits, exponent } = splitNumber(text)
  if (digits === '0' || number === 0) return digits === '0' && number === 0
  if (digits.length > mostDigits) return false
  const isRounded = (to: number, expected: string): boolean => {
    const kept = splitNumber(Math.abs(number).toPrecision(to))
    return kept.digits === expected && kept.exponent === exponent
  }
  // `toPrecision` rounds up a float that is in the middle between two numbers.
  return isRounded(digits.length, digits) || isRounded(mostPrecision, `${digits}5`)
}

/**
 * False for a whole number beyond 2^53 that JavaScript writes with other digits, as 2^63 is written
 * 9223372036854776000.
 */
export function isWrittenExactly(number: number): boolean {
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return true
  return compareNumber(String(number), String(BigInt(number))) === 0
}

const mostDigits = 17
/** The most that `toPrecision` takes. A float in the middle between two numbers has at most 18 digits. */
const mostPrecision = 100
const shortNumber = /^-?[\d.]{1,15}$/
const plainWhole = /^-?\d+$/
