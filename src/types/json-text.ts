import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { survivesAsFloat } from '../contracts/exact-number.ts'

/** JSON text of a value; bigints and numbers that no float holds keep every digit. */
export function formatJson(value: unknown): string {
  return holdsLongNumber(value) ? (stringify(value) ?? 'null') : JSON.stringify(value)
}

/**
 * Parses JSON text with every digit of every number kept: whole numbers beyond 2^53 become bigints, what a float does not
 * hold otherwise a LosslessNumber. Four times slower than JSON.parse, so it is used only where `mayLoseDigits` is true.
 * Throws SyntaxError as JSON.parse does.
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

/** True if JSON.parse holds a number as it is written; of whole numbers only those that are certainly not rounded. */
function isHeld(text: string): boolean {
  return wholeNumber.test(text) ? Number.isSafeInteger(Number(text)) : survivesAsFloat(text)
}

/** True if the text may hold a number that JSON.parse does not hold as it is written. */
export function mayLoseDigits(text: string): boolean {
  return mayLoseLongNumber(text) || longExponent.test(text)
}

/** Looks at every sixteenth character: a third of the time that a regular expression takes for `[\d.]{16}`. */
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

/** True if a number may begin with the digit at this index. */
function beginsNumber(text: string, start: number): boolean {
  const before = text[start - 1] === '-' ? start - 2 : start - 1
  return before < 0 || '[:, \t\n\r'.includes(text[before] as string)
}

/** Text that is no number counts as zero. */
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
/** Every number of up to this many digits is held. */
const longest = 15
/** Longer numbers are beyond what a float holds, and take long to become bigints. */
const longestBigint = 400
// Looks back only from where it has found the rarer part.
const longExponent = /[eE][+-]?\d{3}(?<=(?:^|[[:,\s])-?[\d.]+[eE][+-]?\d{3})/
