import type { Write } from './scope.ts'
import { childSeed, mix, pick, seedRange, toSalt } from './seed.ts'

/**
 * A trade item number (EAN, GTIN) of 8, 12, 13 or 14 digits with a valid check digit. The same seed gives the same item
 * in every length. Some start with zeros, which are lost in numbers.
 */
export function createTradeNumber(length: number, field: string): Write {
  const form = createDigitForm(length, field, 0.6)
  return (seed) => {
    const high = pick(tradePrefixes, mix(seed)) * 10_000 + (childSeed(seed, 2) % 10_000)
    const low = childSeed(seed, 1) % 1_000_000
    const carton = length === 14 && seed % 10 === 1 ? 1 : 0
    const leading = length < 12 ? high % 10 : length === 12 ? high % 100_000 : high
    const check = (10 - ((3 * carton + weigh(leading) + weigh(low)) % 10)) % 10
    return form((carton * 1e12 + leading * 1e6 + low) * 10 + check, seed)
  }
}

/** A code of `length` digits; a fifth of them start with a zero. */
export function createDigits(length: number, field: string, numberShare = 0.2): Write {
  const form = createDigitForm(length, field, numberShare)
  const range = 10 ** length
  return (seed) => {
    const value = Math.floor((mix(seed) / seedRange) * range)
    return form(seed % 8 === 0 ? Math.floor(value / 10) : value, seed)
  }
}

export function writeAtc(seed: number): string {
  const group = mix(seed)
  const letter = (salt: number) => letters.charAt(childSeed(group, salt) % letters.length)
  return `"${pick(atcGroups, group)}${twoDigits(1 + (group % 7))}${letter(1)}${letter(2)}${twoDigits(childSeed(group, 3) % 60)}"`
}

/** A company's own reference in any form, including leading zeros. */
export function writeReference(seed: number): string {
  const number = mix(seed) % 1_000_000
  switch (seed % 4) {
    case 0:
      return `"${String(number).padStart(7, '0')}"`
    case 1:
      return `"REF ${number}/A"`
    case 2:
      return String(number)
    default:
      return `"${letters.charAt(number % letters.length)}-${number}"`
  }
}

export function toHex(seed: number): string {
  return toHex8(seed) + toHex8(childSeed(seed, 2))
}

function toHex8(seed: number): string {
  const scrambled = mix(seed)
  return (
    pick(hexPairs, scrambled) +
    pick(hexPairs, scrambled >>> 8) +
    pick(hexPairs, scrambled >>> 16) +
    pick(hexPairs, seed)
  )
}

/** Text with leading zeros or, for `numberShare` of the seeds, a number without them. */
function createDigitForm(length: number, field: string, numberShare: number): (value: number, seed: number) => string {
  const salt = toSalt(field)
  const limit = numberShare * seedRange
  return (value, seed) => (childSeed(seed, salt) < limit ? String(value) : `"${String(value).padStart(length, '0')}"`)
}

/** Sum of up to six digits with weights 3, 1, 3, … from the right. */
function weigh(digits: number): number {
  let sum = 0
  for (let rest = digits, weight = 3; rest > 0; rest = Math.floor(rest / 10), weight = 4 - weight) {
    sum += (rest % 10) * weight
  }
  return sum
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The first two digits of item numbers, by country; 00 to 09 are those of 12 digits. */
const tradePrefixes = [54, 54, 87, 34, 40, 0, 3, 8]
const atcGroups = ['A', 'B', 'C', 'D', 'G', 'H', 'J', 'L', 'M', 'N', 'P', 'R', 'S', 'V']
const letters = 'ABCDEGHJKLMNPRSTVX'
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
