import { compareNumber, splitNumber } from 'lossless-json'

/**
 * Tests if a number written as JSON survives as a 64-bit float: the nearest float, rounded to as many significant
 * digits as the text has, is the same number. A float that lies in the middle between two such numbers is both of them. A
 * float has at most 17 digits, and every number of 15 survives within its range. Beyond 17 digits only a whole number
 * survives that the float is exactly.
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
  // `toPrecision` gives the higher of two numbers that the float lies in the middle of.
  return isRounded(digits.length, digits) || isRounded(mostPrecision, `${digits}5`)
}

/** False for a whole number beyond 2^53 that JavaScript writes with other digits than it has: 2^63 as 9223372036854776000. */
export function isWrittenExactly(number: number): boolean {
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return true
  return compareNumber(String(number), String(BigInt(number))) === 0
}

const mostDigits = 17
/** The most that `toPrecision` takes; a float in such a middle has 18 digits at most. */
const mostPrecision = 100
const shortNumber = /^-?[\d.]{1,15}$/
const plainWhole = /^-?\d+$/
