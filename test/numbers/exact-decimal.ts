/*
 * Arithmetic on numbers as they are written, with whole numbers only: what the outputs are held against knows no float.
 */

/** `digits × 10^power`, exactly. */
export interface Decimal {
  readonly digits: bigint
  readonly power: number
}

/** `mantissa × 2^exponent`, exactly; the mantissa has at most 53 bits. */
export interface Binary {
  readonly mantissa: bigint
  readonly exponent: number
}

export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) throw new Error(`no number: ${text}`)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  return normalize({ digits: sign === '-' ? -digits : digits, power: Number(exponent) - fraction.length })
}

/** Without zeros at the end; zero has the power 0. */
function normalize({ digits, power }: Decimal): Decimal {
  if (digits === 0n) return { digits, power: 0 }
  while (digits % 10n === 0n) {
    digits /= 10n
    power++
  }
  return { digits, power }
}

export function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.power === other.power
}

export function countDigits({ digits }: Decimal): number {
  return digits === 0n ? 0 : String(digits).replace('-', '').length
}

/** The whole number that it is; null for one with a fraction, or beyond 40 digits. */
export function toWhole({ digits, power }: Decimal): bigint | null {
  return power < 0 || power > 40 ? null : digits * 10n ** BigInt(power)
}

/** The 64-bit float nearest to the number, of two the even one; null beyond the largest. */
export function toNearestFloat({ digits, power }: Decimal): Binary | null {
  const magnitude = digits < 0n ? -digits : digits
  const length = String(magnitude).length + power
  if (magnitude === 0n || length < -400) return { mantissa: 0n, exponent: 0 }
  if (length > 400) return null
  const above = power > 0 ? magnitude * 10n ** BigInt(power) : magnitude
  const below = power > 0 ? 1n : 10n ** BigInt(-power)
  let exponent = Math.max(lowestExponent, bitLength(above) - bitLength(below) - 54)
  while (roundDivision(above, below, exponent) >= 2n ** 53n) exponent++
  if (exponent > highestExponent) return null
  const mantissa = roundDivision(above, below, exponent)
  return reduce({ mantissa: digits < 0n ? -mantissa : mantissa, exponent })
}

/** above / (below × 2^exponent), rounded to the nearest, of two to the even one. */
function roundDivision(above: bigint, below: bigint, exponent: number): bigint {
  const [dividend, divisor] = exponent < 0 ? [above << BigInt(-exponent), below] : [above, below << BigInt(exponent)]
  const [quotient, rest] = [dividend / divisor, dividend % divisor]
  const isUp = rest * 2n > divisor || (rest * 2n === divisor && quotient % 2n === 1n)
  return isUp ? quotient + 1n : quotient
}

/** With an odd mantissa, so that the same number always looks the same. */
function reduce({ mantissa, exponent }: Binary): Binary {
  if (mantissa === 0n) return { mantissa, exponent: 0 }
  while (mantissa % 2n === 0n) {
    mantissa /= 2n
    exponent++
  }
  return { mantissa, exponent }
}

export function isSameFloat(one: Binary | null, other: Binary | null): boolean {
  return one !== null && other !== null && one.mantissa === other.mantissa && one.exponent === other.exponent
}

/** The exact decimal number that a float is. */
export function floatToDecimal({ mantissa, exponent }: Binary): Decimal {
  if (exponent >= 0) return normalize({ digits: mantissa << BigInt(exponent), power: 0 })
  return normalize({ digits: mantissa * 5n ** BigInt(-exponent), power: exponent })
}

/** The numbers with this many significant digits that are nearest to the number: two where it lies in the middle. */
export function roundTo(count: number, number: Decimal): readonly Decimal[] {
  const excess = countDigits(number) - count
  if (excess <= 0) return [number]
  const unit = 10n ** BigInt(excess)
  const [quotient, rest] = [number.digits / unit, number.digits % unit]
  const twice = (rest < 0n ? -rest : rest) * 2n
  const outer = quotient + (number.digits < 0n ? -1n : 1n)
  const nearest = twice === unit ? [quotient, outer] : [twice > unit ? outer : quotient]
  return nearest.map((digits) => normalize({ digits, power: number.power + excess }))
}

/** The number with the fewest digits whose nearest float it is; of two the even one. */
export function toShortest(float: Binary): Decimal {
  const exact = floatToDecimal(float)
  for (let count = 1; count < 18; count++) {
    const found = roundTo(count, exact).filter((rounded) => isSameFloat(toNearestFloat(rounded), float))
    const [shortest] = found.length > 1 ? found.filter(({ digits }) => digits % 2n === 0n) : found
    if (shortest !== undefined) return shortest
  }
  throw new Error('17 digits are not enough')
}

/** The bits of a float that a reader gave. */
export function readFloat(number: number): Binary {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, number)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  if (biased === 0x7ff) throw new Error(`no number: ${number}`)
  const fraction = bits & (2n ** 52n - 1n)
  const mantissa = biased === 0 ? fraction : fraction + 2n ** 52n
  return reduce({ mantissa: bits >> 63n === 1n ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 })
}

function bitLength(number: bigint): number {
  return number.toString(2).length
}

const lowestExponent = -1074
const highestExponent = 971
