import { InvalidArgumentError } from 'commander'

/** The number of an option that counts something: whole, 1 or more. */
export function toCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError('Expected a whole number, 1 or more.')
  return count
}
