import { isPresent } from './levels'

/*
 * The values of a column without its nulls, one behind the other, as Parquet's plain encoding has them; text as pairs of
 * address and length, booleans as bytes. Each function gathers those between two indexes and returns the end of them.
 */

export function gatherTexts(
  validity: usize,
  offsets: usize,
  bytes: usize,
  from: usize,
  to: usize,
  target: usize,
): usize {
  for (let index = from; index < to; index++) {
    if (!isPresent(validity, index)) continue
    const start = load<u32>(offsets + index * 4)
    store<u32>(target, (bytes as u32) + start)
    store<u32>(target, load<u32>(offsets + index * 4, 4) - start, 4)
    target += 8
  }
  return target
}

export function gatherBooleans(validity: usize, bitmap: usize, from: usize, to: usize, target: usize): usize {
  for (let index = from; index < to; index++) {
    if (isPresent(validity, index)) store<u8>(target++, isPresent(bitmap, index) as u8)
  }
  return target
}

export function gather4(validity: usize, values: usize, from: usize, to: usize, target: usize): usize {
  return gatherNumbers<u32, u32>(validity, values, from, to, target)
}

export function gather8(validity: usize, values: usize, from: usize, to: usize, target: usize): usize {
  return gatherNumbers<u64, u64>(validity, values, from, to, target)
}

/** Decimals of 128 bits that fit in 32. */
export function gather16As4(validity: usize, values: usize, from: usize, to: usize, target: usize): usize {
  return gatherNumbers<Int128, u32>(validity, values, from, to, target)
}

/** Decimals of 128 bits that fit in 64. */
export function gather16As8(validity: usize, values: usize, from: usize, to: usize, target: usize): usize {
  return gatherNumbers<Int128, u64>(validity, values, from, to, target)
}

/** Decimals of 128 bits as `width` bytes, the most significant first. */
export function gather16AsBytes(
  validity: usize,
  values: usize,
  from: usize,
  to: usize,
  target: usize,
  width: usize,
): usize {
  for (let index = from; index < to; index++) {
    if (!isPresent(validity, index)) continue
    const value = values + index * 16
    for (let byte: usize = 0; byte < width; byte++) store<u8>(target + byte, load<u8>(value + width - 1 - byte))
    target += width
  }
  return target
}

@unmanaged
class Int128 {
  low: u64
  high: u64
}

@inline
function gatherNumbers<From, To>(validity: usize, values: usize, from: usize, to: usize, target: usize): usize {
  const width: usize = isReference<From>() ? offsetof<From>() : sizeof<From>()
  const size = sizeof<To>()
  if (validity == 0 && width == size) {
    memory.copy(target, values + from * width, (to - from) * width)
    return target + (to - from) * width
  }
  for (let index = from; index < to; index++) {
    if (!isPresent(validity, index)) continue
    store<To>(target, load<To>(values + index * width))
    target += size
  }
  return target
}
