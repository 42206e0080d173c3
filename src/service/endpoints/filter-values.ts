import { z } from 'zod'
import { errorText, formatChoices } from './request-issues.ts'

/** One value that a filter key takes, alone or in a list. */
export interface FilterValue<Schema extends z.ZodType = z.ZodType> {
  /** For people: `a brand id (a whole number)`. */
  readonly accepts: string
  readonly schema: Schema
  /** The request form of a value that met the schema; as it is when absent. */
  readonly toRequest?: (value: unknown) => unknown
  /** A code of digits, which is printed with hyphens or spaces between them. */
  readonly isPrinted?: true
}

export function text(what: string) {
  return { accepts: what, schema: z.string(errorText(what)).min(1, errorText(what)) }
}

/** A code that is text: as a number it would lose its leading zeros, so it has to be written in quotes. */
export function textCode(what: string) {
  return text(`${what} as text (in quotes, so that leading zeros stay)`)
}

export function textOrInteger(what: string) {
  const accepts = `${what} (text or a whole number)`
  const schema = z.union([text(accepts).schema, wholeNumber(accepts)], errorText(accepts))
  return { accepts, schema }
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  const accepts = formatChoices(values)
  return { accepts, schema: z.enum(values, errorText(accepts)) }
}

/** Digits as text are accepted too: that is what an environment variable gives. */
export function integerId(what: string) {
  const accepts = `${what} (a whole number)`
  return { accepts, schema: digits(accepts, 15), toRequest: Number }
}

/** A code of exactly `length` digits, as a number or text: lost leading zeros are restored, a longer one is wrong. */
export function paddedCode(what: string, length: number) {
  const accepts = `${what} (${length} digits, fewer are padded with zeros on the left)`
  return {
    accepts,
    schema: digits(accepts, length),
    toRequest: (value: unknown) => String(value).padStart(length, '0'),
    isPrinted: true,
  } as const
}

/** A code of at most `maxLength` digits, as a number or text. */
export function digitCode(what: string, maxLength: number) {
  const accepts = `${what} (at most ${maxLength} digits)`
  return { accepts, schema: digits(accepts, maxLength), toRequest: String, isPrinted: true } as const
}

export function productId() {
  const accepts = 'a product id (letters and digits, a letter first)'
  return { accepts, schema: productIdText(accepts) }
}

/** The v3 record calls its id an integer, its filters an identifier that starts with a letter: both are accepted. */
export function productIdV3() {
  const accepts = 'a product id (letters and digits, a letter first, or a whole number)'
  return { accepts, schema: z.union([productIdText(accepts), wholeNumber(accepts)], errorText(accepts)) }
}

export function locale() {
  const accepts = 'a locale such as "nl" or "en_AU"'
  return { accepts, schema: z.string(errorText(accepts)).regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/, errorText(accepts)) }
}

function digits(accepts: string, maxLength: number) {
  const asText = z.string(errorText(accepts)).regex(new RegExp(`^\\d{1,${maxLength}}$`), errorText(accepts))
  const asNumber = wholeNumber(accepts).max(10 ** maxLength - 1, errorText(accepts))
  return z.union([asText, asNumber], errorText(accepts))
}

function productIdText(accepts: string) {
  return z.string(errorText(accepts)).regex(/^[A-Za-z][A-Za-z0-9]*$/, errorText(accepts))
}

export function wholeNumber(accepts: string) {
  return z.int(errorText(accepts)).min(0, errorText(accepts))
}
