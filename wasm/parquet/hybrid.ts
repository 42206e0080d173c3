/**
 * Parquet's hybrid of run lengths and bit packing: a run of eight or more equal numbers is written once, others packed in
 * `bits` bits each, eight at a time. Each function returns the end of what it wrote, and may write 16 bytes behind it.
 */

/** Numbers of a byte each: levels. */
export function packBytes(from: usize, count: usize, bits: u32, to: usize): usize {
  return pack<u8>(from, count, bits, to)
}

/** Numbers of four bytes each: indexes into a dictionary, of at most 15 bits. */
export function packWords(from: usize, count: usize, bits: u32, to: usize): usize {
  return pack<u32>(from, count, bits, to)
}

@inline
function pack<T>(from: usize, count: usize, bits: u32, to: usize): usize {
  const end = from + count * sizeof<T>()
  while (from < end) {
    const run = lengthOfRun<T>(from, end)
    if (run >= 8) {
      to = writeVarint(to, (run << 1) as u32)
      store<u32>(to, load<T>(from) as u32)
      to += (bits + 7) >> 3
      from += run * sizeof<T>()
      continue
    }
    const groups = countGroups<T>(from, end)
    to = writeVarint(to, (groups << 1) | 1)
    for (let group: u32 = 0; group < groups; group++) {
      writeGroup<T>(from, end, bits, to)
      from += 8 * sizeof<T>()
      to += bits
    }
  }
  return to
}

@inline
function lengthOfRun<T>(from: usize, end: usize): usize {
  const value = load<T>(from)
  const word = repeat<T>(value)
  let at = from + sizeof<T>()
  while (at + 8 <= end && load<u64>(at) == word) at += 8
  while (at < end && load<T>(at) == value) at += sizeof<T>()
  return (at - from) / sizeof<T>()
}

/** The number of eights before a run that is worth it, or before the end: the last may be less than eight. */
@inline
function countGroups<T>(from: usize, end: usize): u32 {
  let groups: u32 = 0
  do {
    groups++
    from += 8 * sizeof<T>()
  } while (from < end && !isRun<T>(from, end))
  return groups
}

@inline
function isRun<T>(from: usize, end: usize): bool {
  if (from + 8 * sizeof<T>() > end) return false
  const word = repeat<T>(load<T>(from))
  for (let at = from; at < from + 8 * sizeof<T>(); at += 8) if (load<u64>(at) != word) return false
  return true
}

/** A number in each part of eight bytes. */
@inline
function repeat<T>(value: T): u64 {
  return (value as u64) * (sizeof<T>() == 1 ? 0x0101010101010101 : 0x0000000100000001)
}

/** Eight numbers in as many bytes as one has bits, the first in the lowest bits; what is behind the end is 0. */
@inline
function writeGroup<T>(from: usize, end: usize, bits: u32, to: usize): void {
  const low = joinFour<T>(from, end, bits)
  const high = joinFour<T>(from + 4 * sizeof<T>(), end, bits)
  store<u64>(to, low | (high << (4 * bits)))
  store<u64>(to, high >> (64 - 4 * bits), 8)
}

@inline
function joinFour<T>(from: usize, end: usize, bits: u32): u64 {
  let joined: u64 = 0
  for (let index: u32 = 0; index < 4; index++) {
    const at = from + index * sizeof<T>()
    if (at < end) joined |= (load<T>(at) as u64) << (index * bits)
  }
  return joined
}

@inline
function writeVarint(to: usize, value: u32): usize {
  for (; value >= 128; value >>= 7) store<u8>(to++, value | 128)
  store<u8>(to, value)
  return to + 1
}
