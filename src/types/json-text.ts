import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { survivesAsFloat } from '../contracts/exact-number.ts'

/** Formats a value as JSON; bigints and LosslessNumbers keep all digits. */
export function formatJson(value: unknown): string {
  return holdsLongNumber(value) ? (stringify(value) ?? 'null') : JSON.stringify(value)
}

/** Undefined for what JSON can't hold: functions, circles, what is too deep. */
export function formatJsonIfHeld(value: unknown): string | undefined {
  try {
    return formatJson(value)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Parses JSON without losing digits: whole numbers beyond 2^53 become bigints, other numbers that a float can't hold
 * become LosslessNumbers. Four times slower than JSON.parse, so used only if `mayLoseDigits` is true. Throws
 * SyntaxError like JSON.parse.
 */
export function parseExactly(text: string): unknown {
  return parse(text, null, {
    parseNumber: toNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  })
}

function toNumber(text: string): number | bigint | LosslessNumber {
  if (isHeld(text)) return Number(text)
  return wholeNumber.test(text) && text.length <= longestBigint ? BigInt(text) : new LosslessNumber(text)
}

/** True if JSON.parse keeps the number exactly; for whole numbers, only if they are certainly not rounded. */
function isHeld(text: string): boolean {
  return wholeNumber.test(text) ? Number.isSafeInteger(Number(text)) : survivesAsFloat(text)
}

/** True if JSON.parse may round a number of the text. */
export function mayLoseDigits(text: string): boolean {
  return mayLoseLongNumber(text) || longExponent.test(text)
}

/** Looks at every sixteenth character: a third of the time of the regular expression `[\d.]{16}`. */
function mayLoseLongNumber(text: string): boolean {
  for (let at = longest; at < text.length; at += longest + 1) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue
    let start = at
    while (isDigitOrPoint(text.charCodeAt(start - 1))) start--
    while (isDigitOrPoint(text.charCodeAt(at + 1))) at++
    if (at - start >= longest && beginsNumber(text, start) && !isHeld(readNumber(text, start))) return true
  }
  return false
}

function isDigitOrPoint(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e
}

function beginsNumber(text: string, start: number): boolean {
  const before = text[start - 1] === '-' ? start - 2 : start - 1
  return before < 0 || '[:, \t\n\r'.includes(text[before] as string)
}

/** `0` for text that is no number. */
function readNumber(text: string, start: number): string {
  numberText.lastIndex = start
  return numberText.exec(text)?.[0] ?? '0'
}

function holdsLongNumber(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  return isLosslessNumber(value) || Object.values(value).some(holdsLongNumber)
}

const wholeNumber = /^-?\d+$/
const numberText = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** JSON.parse keeps every number of at most this many digits. */
const longest = 15
/** Longer numbers exceed a float, and are slow to convert to bigints. */
const longestBigint = 400
// Looks back only from an exponent, the rarer part.
const longExponent = /[eE][+-]?\d{3}(?<=(?:^|[[:,\s])-?[\d.]+[eE][+-]?\d{3})/
