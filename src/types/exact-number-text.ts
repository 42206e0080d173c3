import { isWrittenExactly } from '../contracts/exact-number.ts'

/** A float that several whole numbers are rounded to: the delivered one is not known any more. */
export function isUnclear(value: unknown): boolean {
  return typeof value === 'number' && !isWrittenExactly(value)
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** A whole number as a number if that holds it, else as a bigint. */
export function toSmallest(digits: string | bigint): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

export const wholeNumber = /^[+-]?\d{1,19}$/
export const decimalNumber = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
