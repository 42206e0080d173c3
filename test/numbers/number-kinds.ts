import {
  countDigits,
  floatToDecimal,
  isSame,
  isSameFloat,
  parseDecimal,
  roundTo,
  toNearestFloat,
  toShortest,
  toWhole,
  type Binary,
  type Decimal,
} from './exact-decimal.ts'

/** A column of numbers: the field that its tokens are delivered in, and what a cell of it may say. */
export interface NumberKind {
  readonly field: string
  readonly column: { readonly column: string; readonly from: string; readonly as?: string; readonly unit?: 'cents' }
  /** The value that the cell of a delivered number has to have; null where the line has to be rejected. */
  readonly expect: (token: string) => Expected | null
}

export type Expected = { readonly decimal: Decimal } | { readonly float: Binary } | { readonly text: string }

export const numberKinds: readonly NumberKind[] = [
  {
    field: 'tradeInMonthsBeforeExpiry',
    column: { column: 'whole', from: 'tradeInMonthsBeforeExpiry' },
    expect: (token) => toExpected(toKeptWhole(token)),
  },
  {
    field: 'publicPrice',
    column: { column: 'money', from: 'publicPrice' },
    expect: (token) => toExpected(toKeptWhole(token)),
  },
  {
    field: 'pharmacistPrice',
    column: { column: 'cents', from: 'pharmacistPrice', as: 'decimal(12,2)', unit: 'cents' },
    expect(token) {
      const whole = toKeptWhole(token)
      if (whole === null || whole >= 10n ** 12n || whole <= -(10n ** 12n)) return null
      return { decimal: parseDecimal(`${whole}e-2`) }
    },
  },
  {
    field: 'vat',
    column: { column: 'float', from: 'vat' },
    expect(token) {
      const float = toKeptFloat(token)
      return float === null ? null : { float }
    },
  },
  {
    field: 'officialDeletionAt',
    column: { column: 'time', from: 'officialDeletionAt' },
    expect(token) {
      const seconds = toKeptWhole(token)
      return seconds === null || seconds < firstSecond || seconds > lastSecond ? null : { text: toIso(seconds) }
    },
  },
]

/** The scaled column of a float takes the shortest number that the float is written as. */
export const scaledFloat: NumberKind = {
  field: 'vat',
  column: { column: 'scaled', from: 'vat', as: 'decimal(18,6)' },
  expect(token) {
    const float = toKeptFloat(token)
    if (float === null) return null
    const shortest = toShortest(float)
    const unscaled = toWhole({ ...shortest, power: shortest.power + 6 })
    return unscaled === null || unscaled >= 10n ** 18n || unscaled <= -(10n ** 18n) ? null : { decimal: shortest }
  },
}

/** A whole number of 64 bits; beyond 2^53 only where every digit is written out. */
function toKeptWhole(token: string): bigint | null {
  const whole = toWhole(parseDecimal(token))
  if (whole === null || BigInt.asIntN(64, whole) !== whole) return null
  return isPlain(token) || (whole < 2n ** 53n && whole > -(2n ** 53n)) ? whole : null
}

/** The nearest float, where it is the number, or is the number again in as many digits, up to 17. */
export function toKeptFloat(token: string): Binary | null {
  const delivered = parseDecimal(token)
  const float = toNearestFloat(delivered)
  if (float === null) return null
  const exact = floatToDecimal(float)
  if (isPlain(token) && isSame(exact, delivered)) return float
  const count = countDigits(delivered)
  return count <= 17 && roundTo(count, exact).some((rounded) => isSame(rounded, delivered)) ? float : null
}

function isPlain(token: string): boolean {
  return /^-?\d+$/.test(token)
}

function toExpected(whole: bigint | null): Expected | null {
  return whole === null ? null : { decimal: parseDecimal(String(whole)) }
}

/** Compares the number that a reader found in a cell with the one that was expected. */
export function meetsExpected(expected: Expected, cell: string): boolean {
  if ('text' in expected) return cell === expected.text
  const found = parseDecimal(cell)
  return 'decimal' in expected ? isSame(found, expected.decimal) : isSameFloat(toNearestFloat(found), expected.float)
}

/** ISO 8601 of unix seconds, by the days of the civil calendar. */
function toIso(seconds: bigint): string {
  const days = (seconds - (((seconds % 86_400n) + 86_400n) % 86_400n)) / 86_400n
  const ofDay = seconds - days * 86_400n
  const shifted = days + 719_468n
  const era = shifted / 146_097n
  const ofEra = shifted - era * 146_097n
  const yearOfEra = (ofEra - ofEra / 1460n + ofEra / 36_524n - ofEra / 146_096n) / 365n
  const ofYear = ofEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n)
  const month = (5n * ofYear + 2n) / 153n
  const day = ofYear - (153n * month + 2n) / 5n + 1n
  const civil = month < 10n ? month + 3n : month - 9n
  const year = yearOfEra + era * 400n + (civil <= 2n ? 1n : 0n)
  const time = [ofDay / 3600n, (ofDay / 60n) % 60n, ofDay % 60n].map((part) => pad(part, 2)).join(':')
  return `${pad(year, 4)}-${pad(civil, 2)}-${pad(day, 2)}T${time}Z`
}

function pad(number: bigint, length: number): string {
  return String(number).padStart(length, '0')
}

const firstSecond = -62_135_596_800n
const lastSecond = 253_402_300_799n
