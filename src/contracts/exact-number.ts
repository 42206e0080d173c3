/**
 * Tests if a number written as JSON survives as a 64-bit float: the nearest float, rounded to as many significant
 * digits as the text has, is the same number. A float that lies in the middle between two such numbers is both of them. A
 * float has at most 17 digits, and every number of 15 survives within its range. Beyond 17 digits only a whole number
 * survives that the float is exactly.
 */
export function survivesAsFloat(text: string): boolean {
  const number = Number(text)
  if (!Number.isFinite(number)) return false
  if (plainWhole.test(text) && BigInt(number) === BigInt(text)) return true
  const written = toDecimal(text)
  if (written.digits.length > mostDigits) return false
  if (written.digits === '' || number === 0) return written.digits === '' && number === 0
  const kept = toDecimal(Math.abs(number).toPrecision(written.digits.length))
  return isSame(kept, written) || isLowerHalf(number, written)
}

/** Tests if the float lies in the middle between these digits and the next higher ones, which `toPrecision` gives. */
function isLowerHalf(number: number, { digits, power }: Decimal): boolean {
  const exact = toDecimal(Math.abs(number).toPrecision(mostPrecision))
  return isSame(exact, { digits: `${digits}5`, power: power - 1 })
}

/** False for a whole number beyond 2^53 that JavaScript writes with other digits than it has: 2^63 as 9223372036854776000. */
export function isWrittenExactly(number: number): boolean {
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return true
  return isSame(toDecimal(String(number)), toDecimal(String(BigInt(number))))
}

interface Decimal {
  /** Significant digits, without zeros at either end; none for zero. */
  readonly digits: string
  /** The power of ten of the last digit. */
  readonly power: number
}

function toDecimal(text: string): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = decimalParts.exec(text) ?? []
  const all = (whole + fraction).replace(leadingZeros, '')
  const digits = all.replace(trailingZeros, '')
  return { digits, power: Number(exponent) - fraction.length + all.length - digits.length }
}

function isSame(a: Decimal, b: Decimal): boolean {
  return a.digits === b.digits && a.power === b.power
}

const mostDigits = 17
/** The most that `toPrecision` takes; a float in such a middle has 18 digits at most. */
const mostPrecision = 100
const plainWhole = /^-?\d+$/
const decimalParts = /^[+-]?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const leadingZeros = /^0+/
const trailingZeros = /(?<!0)0+$/
