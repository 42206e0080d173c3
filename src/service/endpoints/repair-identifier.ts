import { padCode, unwrapCode, withoutSeparators } from '../../codes/code-text.ts'
import type { FilterValue } from './filter-values.ts'

/**
 * An identifier in the form to request it: with its lost leading zeros and, for a code of digits, without hyphens and
 * spaces. Undefined if the text is no identifier. Digits get zeros up to `length`; without it, as many as the kind of
 * identifier declares.
 */
export function repairIdentifier(written: string, item: FilterValue, length = 0): string | number | undefined {
  const unwrapped = unwrapCode(written)
  const text = item.isPrinted ? withoutSeparators(unwrapped) : unwrapped
  const whole = padCode(text, length)
  if (length > 0 && whole.length > length) return undefined
  const value = [whole, ...toInteger(whole)].find((form) => item.schema.safeParse(form).success)
  if (value === undefined || item.toRequest === undefined) return value
  return item.toRequest(value) as string | number
}

/** Some kinds of identifier accept whole numbers only as numbers. */
function toInteger(text: string): number[] {
  return /^\d{1,15}$/.test(text) ? [Number(text)] : []
}
