/** Bytes that the copies below may write, and read, past their end. */
export const slack: usize = 32

/** True where this many bytes fit before the limit. In 64 bits: an address and a length may add up to more than 4 GiB. */
@inline
export function fits(at: usize, bytes: u64, limit: usize): bool {
  return (at as u64) + bytes <= (limit as u64)
}

/** Copies and returns the end of the copy; up to 16 bytes behind it are overwritten too. */
@inline
export function copyBytes(to: usize, from: usize, length: usize): usize {
  if (length > 256) memory.copy(to, from, length)
  else for (let at: usize = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at))
  return to + length
}

/** The bits of the first `length` bytes (16 at most) that are set in a comparison. */
@inline
export function maskOf(compared: v128, length: usize): i32 {
  return i8x16.bitmask(compared) & ((1 << (min<usize>(length, 16) as i32)) - 1)
}

/** The bits of the first `length` bytes (32 at most) that are set in the comparisons of them and the sixteen behind them. */
@inline
export function maskOfTwo(first: v128, second: v128, length: usize): u32 {
  const bits = (i8x16.bitmask(first) as u32) | ((i8x16.bitmask(second) as u32) << 16)
  return length >= 32 ? bits : bits & ((1 << (length as u32)) - 1)
}

@inline
export function put(to: usize, byte: u8): usize {
  store<u8>(to, byte)
  return to + 1
}
