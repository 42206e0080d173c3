/*
 * The least and the greatest of some values, of which there is at least one. The number functions put the values
 * themselves at `to`, one behind the other; for texts these are their pairs of address and length.
 */

export function boundInt32(values: usize, end: usize, to: usize): void {
  boundNumbers<i32>(values, end, to)
}

export function boundInt64(values: usize, end: usize, to: usize): void {
  boundNumbers<i64>(values, end, to)
}

/** The least is above the greatest where there is a NaN, which readers put into the order as they like. */
export function boundFloat64(values: usize, end: usize, to: usize): void {
  let least = Infinity
  let greatest = -Infinity
  for (; values < end; values += 8) {
    const value = load<f64>(values)
    if (value != value) return writeNoBounds(to)
    least = value < least ? value : least
    greatest = value > greatest ? value : greatest
  }
  store<f64>(to, least)
  store<f64>(to, greatest, 8)
}

export function boundBooleans(values: usize, end: usize, to: usize): void {
  boundNumbers<u8>(values, end, to)
}

function writeNoBounds(to: usize): void {
  store<f64>(to, Infinity)
  store<f64>(to, -Infinity, 8)
}

/** Texts in the order of their bytes. */
export function boundTexts(texts: usize, end: usize, to: usize): void {
  let least = load<u64>(texts)
  let greatest = least
  let leastHead = headOf(least)
  let greatestHead = leastHead
  for (texts += 8; texts < end; texts += 8) {
    const text = load<u64>(texts)
    const head = headOf(text)
    if (head < leastHead || (head == leastHead && compareTexts(text, least) < 0)) {
      least = text
      leastHead = head
    }
    if (head > greatestHead || (head == greatestHead && compareTexts(text, greatest) > 0)) {
      greatest = text
      greatestHead = head
    }
  }
  store<u64>(to, least)
  store<u64>(to, greatest, 8)
}

/** Whole numbers of `width` bytes, the most significant first and signed. */
export function boundBytes(values: usize, end: usize, to: usize, width: usize): void {
  let least = values
  let greatest = values
  for (values += width; values < end; values += width) {
    if (compareSigned(values, least, width) < 0) least = values
    if (compareSigned(values, greatest, width) > 0) greatest = values
  }
  memory.copy(to, least, width)
  memory.copy(to + width, greatest, width)
}

@inline
function boundNumbers<T>(values: usize, end: usize, to: usize): void {
  let least = load<T>(values)
  let greatest = least
  for (values += sizeof<T>(); values < end; values += sizeof<T>()) {
    const value = load<T>(values)
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  store<T>(to, least)
  store<T>(to + sizeof<T>(), greatest)
}

/** The first eight bytes as a number of the same order, with zeros for those that are not there. */
@inline
function headOf(text: u64): u64 {
  const length = text >> 32
  if (length == 0) return 0
  const head = bswap(load<u64>((text & 0xffffffff) as usize))
  return length >= 8 ? head : (head >> (64 - (length << 3))) << (64 - (length << 3))
}

/** Compares texts whose heads are equal. */
function compareTexts(one: u64, other: u64): i64 {
  let left = min<u64>(one >> 32, other >> 32) as isize
  const distance = ((other & 0xffffffff) as usize) - ((one & 0xffffffff) as usize)
  for (let at = (one & 0xffffffff) as usize + 8; (left -= 8) > 0; at += 8) {
    // The bytes read behind the end are shifted out.
    const shift = left >= 8 ? 0 : (64 - (left << 3)) as u64
    const word = bswap(load<u64>(at)) >> shift
    const otherWord = bswap(load<u64>(at + distance)) >> shift
    if (word != otherWord) return word < otherWord ? -1 : 1
  }
  return ((one >> 32) as i64) - ((other >> 32) as i64)
}

@inline
function compareSigned(one: usize, other: usize, width: usize): i32 {
  const signs = (load<i8>(one) as i32) - (load<i8>(other) as i32)
  return signs != 0 ? signs : memory.compare(one, other, width)
}
