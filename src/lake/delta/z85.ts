/** Base 85 as ZeroMQ's RFC 32 has it: five characters for each four bytes. */
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'

export function isZ85(text: string): boolean {
  return Array.from(text).every((character) => alphabet.includes(character))
}

/** The length is a multiple of four. */
export function encodeZ85(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const value = bytes.readUInt32BE(at)
    for (const power of powers) text += alphabet.charAt(Math.floor(value / power) % 85)
  }
  return text
}

/** Throws RangeError for other text. */
export function decodeZ85(text: string): Buffer {
  const bytes = Buffer.alloc(Math.ceil(text.length / 5) * 4)
  for (let at = 0; at < text.length; at += 5) {
    const value = powers.reduce((sum, power, digit) => sum + digitOf(text.charAt(at + digit)) * power, 0)
    bytes.writeUInt32BE(value, (at / 5) * 4)
  }
  return bytes
}

const powers = [85 ** 4, 85 ** 3, 85 ** 2, 85, 1] as const

function digitOf(character: string): number {
  const digit = character === '' ? -1 : alphabet.indexOf(character)
  if (digit < 0) throw new RangeError(`expected base 85, got "${character}"`)
  return digit
}
