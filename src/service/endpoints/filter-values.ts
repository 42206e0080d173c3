import { z } from 'zod'
import { padCode } from '../../codes/code-text.ts'
import { errorText, formatChoices } from './request-issues.ts'

export interface FilterValue<Schema extends z.ZodType = z.ZodType> {
  readonly accepts: string
  readonly schema: Schema
  /** Converts a value that met the schema to the form in a request; without it, the value is sent as it is. */
  readonly toRequest?: (value: unknown) => unknown
  /** The value is a code of digits, often printed with hyphens or spaces. */
  readonly isPrinted?: true
}

export function text(what: string) {
  return { accepts: what, schema: z.string(errorText(what)).min(1, errorText(what)) }
}

/** A code as text: a number would lose the leading zeros, so configs must write it in quotes. */
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

/** Accepts digits as text too, which environment variables give. */
export function integerId(what: string) {
  const accepts = `${what} (a whole number)`
  return { accepts, schema: digits(accepts, 15), toRequest: Number }
}

/**
 * A code of exactly `length` digits, as a number or text: lost leading zeros are restored, a longer code is refused.
 */
export function paddedCode(what: string, length: number) {
  const accepts = `${what} (${length} digits, fewer are padded with zeros on the left)`
  return {
    accepts,
    schema: digits(accepts, length),
    toRequest: (value: unknown) => padCode(String(value), length),
    isPrinted: true,
  } as const
}

export function digitCode(what: string, maxLength: number) {
  const accepts = `${what} (at most ${maxLength} digits)`
  return { accepts, schema: digits(accepts, maxLength), toRequest: String, isPrinted: true } as const
}

export function productId() {
  const accepts = 'a product id (letters and digits, a letter first)'
  return { accepts, schema: productIdText(accepts) }
}

/**
 * The specification calls the id of a v3 record an integer, but in filters an identifier that starts with a letter:
 * both are accepted.
 */
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
