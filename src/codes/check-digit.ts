/**
 * GS1 General Specifications, section 7.9.1: the digits of a GTIN of any length, weighted 3, 1, 3, … from the digit
 * before the last, add up to a multiple of ten together with the last. France uses it for CIP13 too (decree of 30
 * December 2021 on the coding of medicines, annex, 1).
 */
export function hasGs1Digit(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, weight = 1; at >= 0; at--, weight = 4 - weight) sum += digitAt(digits, at) * weight
  return sum % 10 === 0
}

/**
 * The Pharmazentralnummer as IFA publishes it ("PZN coding", PZN8): the first seven digits, weighted 1 to 7, leave the
 * eighth as their remainder by 11. A remainder of 10 is not given out.
 */
export function hasPznDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length - 1; at++) sum += digitAt(digits, at) * (at + 1)
  return sum % 11 === digitAt(digits, digits.length - 1)
}

function digitAt(digits: string, at: number): number {
  return digits.charCodeAt(at) - 48
}
