/** The nesting of the slots of a column, a byte a slot, as Parquet counts definition and repetition levels. */

@inline
export function isPresent(validity: usize, index: usize): bool {
  return validity == 0 || ((load<u8>(validity + (index >> 3)) >> ((index as u8) & 7)) & 1) != 0
}

/** The levels of rows of scalars: 1, or 0 for null. A validity of 0 says that nothing is null. */
export function writeScalarLevels(validity: usize, from: usize, to: usize, levels: usize): void {
  if (validity == 0) return memory.fill(levels, 1, to - from)
  let row = from
  for (; row < to && (row & 7) != 0; row++) store<u8>(levels++, isPresent(validity, row) as u8)
  // Writes up to seven behind the end.
  for (; row < to; row += 8, levels += 8) store<u64>(levels, toBytes(load<u8>(validity + (row >> 3))))
}

/** Eight bits as a byte each. */
@inline
function toBytes(bits: u64): u64 {
  const inPlace = (bits * 0x0101010101010101) & 0x8040201008040201
  return ((inPlace + 0x7f7f7f7f7f7f7f7f) >> 7) & 0x0101010101010101
}

/**
 * The levels of rows of lists: 0 for null, 1 for an empty one, and for each element 2 where it is null, 3 where it is not; the first
 * slot of a row has repetition 0, the others 1. Returns how many slots there are.
 */
export function writeListLevels(
  validity: usize,
  offsets: usize,
  elementValidity: usize,
  from: usize,
  to: usize,
  levels: usize,
  repetitions: usize,
): usize {
  let slot: usize = 0
  for (let row = from; row < to; row++) {
    const first: usize = load<u32>(offsets + row * 4)
    const end: usize = load<u32>(offsets + row * 4, 4)
    if (first == end) {
      store<u8>(levels + slot, isPresent(validity, row) as u8)
      store<u8>(repetitions + slot++, 0)
      continue
    }
    for (let element = first; element < end; element++) {
      store<u8>(levels + slot, 2 + (isPresent(elementValidity, element) as u8))
      store<u8>(repetitions + slot++, (element > first) as u8)
    }
  }
  return slot
}

/** The number of bytes between two addresses that are `level`. */
export function countLevel(start: usize, end: usize, level: u8): usize {
  let count: usize = 0
  for (let at = start; at < end; at++) count += (load<u8>(at) == level) as usize
  return count
}

/** The slot at which the row begins that is `rows` rows behind `slot`, or `end`. */
export function skipRows(repetitions: usize, slot: usize, rows: usize, end: usize): usize {
  for (; slot < end; slot++) if (load<u8>(repetitions + slot) == 0 && rows-- == 0) return slot
  return end
}
