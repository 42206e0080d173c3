/** Bytes that the copies below may write, and read, past their end. */
export const slack: usize = 32

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

@inline
export function put(to: usize, byte: u8): usize {
  store<u8>(to, byte)
  return to + 1
}
