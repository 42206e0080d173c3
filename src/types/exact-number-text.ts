import { isWrittenExactly } from '../contracts/exact-number.ts'

/** True for a float to which several whole numbers round: the delivered number is unknown. */
export function isUnclear(value: unknown): boolean {
  return typeof value === 'number' && !isWrittenExactly(value)
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** A number if that is exact, otherwise a bigint. */
export function toSmallest(digits: string | bigint): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

export const wholeNumber = /^[+-]?\d{1,19}$/
export const decimalNumber = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
