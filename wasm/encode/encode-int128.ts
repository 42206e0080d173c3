import { parseDigits } from '../parse-number'

/** Ten to the nineteenth: the most digits that always fit into 64 bits. */
const digitsOfHalf: usize = 19
const half: u64 = 10_000_000_000_000_000_000

/** Writes the integer of at most 38 digits as 128 bits. */
export function writeInt128(to: usize, address: usize, digits: usize, isNegative: bool): void {
  const end = address + digits
  const split = digits > digitsOfHalf ? end - digitsOfHalf : address
  const upper = parseDigits(address, split)
  const lower = parseDigits(split, end)
  let low = upper * half + lower
  let high = multiplyHigh(upper, half) + ((low < lower) as u64)
  if (isNegative) {
    low = 0 - low
    high = ~high + ((low == 0) as u64)
  }
  store<u64>(to, low)
  store<u64>(to, high, 8)
}

/** The upper 64 bits of a product. */
function multiplyHigh(a: u64, b: u64): u64 {
  const lowA = a & 0xffffffff
  const highA = a >> 32
  const lowB = b & 0xffffffff
  const highB = b >> 32
  const middle = highA * lowB + ((lowA * lowB) >> 32)
  const other = lowA * highB + (middle & 0xffffffff)
  return highA * highB + (middle >> 32) + (other >> 32)
}
