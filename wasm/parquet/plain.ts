/** Texts, given as pairs of address and length, each behind its length. Returns the end. */
export function writePlainTexts(texts: usize, end: usize, to: usize): usize {
  for (; texts < end; texts += 8) {
    const length = load<u32>(texts, 4)
    store<u32>(to, length)
    memory.copy(to + 4, load<u32>(texts), length)
    to += 4 + length
  }
  return to
}

/** The number of bytes that `writePlainTexts` writes. */
export function measurePlainTexts(texts: usize, end: usize): usize {
  let bytes: usize = 0
  for (; texts < end; texts += 8) bytes += 4 + load<u32>(texts, 4)
  return bytes
}

/** Booleans, given as bytes, as bits. Returns the end. */
export function writePlainBooleans(booleans: usize, end: usize, to: usize): usize {
  let bits: u32 = 0
  let count: u32 = 0
  for (; booleans < end; booleans++) {
    bits |= (load<u8>(booleans) as u32) << (count & 7)
    if ((++count & 7) != 0) continue
    store<u8>(to++, bits)
    bits = 0
  }
  if ((count & 7) == 0) return to
  store<u8>(to, bits)
  return to + 1
}
