// Steps over white space and punctuation between values. `t` is always the address, in the index, of the next structural character.

/** The byte at an address. */
@inline
export function at(address: usize): u32 {
  return load<u8>(address) as u32
}

/** The address that the index holds at `t`. */
@inline
export function token(t: usize): usize {
  return load<u32>(t) as usize
}

@inline
export function skipBlanks(address: usize): usize {
  return at(address) > 0x20 ? address : skipEveryBlank(address)
}

function skipEveryBlank(address: usize): usize {
  while (isBlankByte(at(address))) address++
  return address
}

/** True where only white space is between two addresses. */
@inline
export function isBlank(from: usize, to: usize): bool {
  return from == to || skipEveryBlank(from) >= to
}

/** `t`, where only white space is between the end of a value and that structural character; else 0. */
@inline
export function endAt(t: usize, end: usize): usize {
  return isBlank(end, token(t)) ? t : 0
}

@inline
export function isDigit(byte: u32): bool {
  return byte - 0x30 <= 9
}

/** A line break is none: outside strings it is in the index. */
@inline
function isBlankByte(byte: u32): bool {
  return byte == 0x20 || byte == 0x09 || byte == 0x0d
}

const nullWord: u32 = 0x6c6c756e

/** Over `null`, the only value without an effect. */
export function walkNull(t: usize, p: usize): usize {
  return load<u32>(p) == nullWord ? endAt(t, p + 4) : 0
}
