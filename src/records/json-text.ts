import { isSafeNumber, parse, stringify } from 'lossless-json'

/** JSON text of a value; bigints keep every digit. */
export function formatJson(value: unknown): string {
  return holdsBigint(value) ? (stringify(value) ?? 'null') : JSON.stringify(value)
}

/**
 * Parses JSON text with every digit of whole numbers kept: beyond 2^53 they become bigints. Four times slower than
 * JSON.parse, so it is only asked where `mayLoseDigits` says so. Throws SyntaxError as JSON.parse does.
 */
export function parseExactly(text: string): unknown {
  return parse(text, null, {
    parseNumber: toNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  })
}

function toNumber(digits: string): number | bigint {
  if (wholeNumber.test(digits) && !isSafeNumber(digits)) return BigInt(digits)
  const number = Number(digits)
  if (!Number.isFinite(number)) throw new SyntaxError(`the number ${digits} is beyond what a float can hold`)
  return number
}

/** Whether the text holds a run of digits, or an exponent, so long that JSON.parse may lose some of it. */
export function mayLoseDigits(text: string): boolean {
  return longDigits.test(text)
}

function holdsBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsBigint)
}

const wholeNumber = /^-?\d+$/
const longDigits = /\d{16}|\d[eE]\+?\d{3}/
