import { entryBytes, mostDictionaryBytes } from '../../src/formats/parquet/dictionary-layout'
import { writePlainTexts } from './plain'

/*
 * The distinct values of a column in the order in which they come, in plain encoding, and for each value which of them it
 * is, as a word. The table has `entries`, a power of 2 that is at least twice the number of distinct values: each is the number
 * of a value, from 1 on. Each function returns how many distinct values there are, or 0 where they would take more than
 * `mostDictionaryBytes`.
 */

const multiplier: u64 = 0x9e3779b97f4a7c15

/** `distinct` gets the distinct texts as they are in the dictionary, as pairs of address and length. */
export function indexTexts(
  texts: usize,
  end: usize,
  table: usize,
  entries: u32,
  distinct: usize,
  indexes: usize,
  dictionary: usize,
): u32 {
  memory.fill(table, 0, entries * entryBytes)
  let count: u32 = 0
  let to = dictionary
  let last: u64 = 0
  for (; texts < end; texts += 8, indexes += 4) {
    const text = load<u64>(texts)
    // Rows of the same parent are neighbours.
    if (last != 0 && isSameText(last, text)) {
      store<u32>(indexes, load<u32>(indexes - 4))
      continue
    }
    last = text
    let entry = hashText(text) & (entries - 1)
    let number: u32 = 0
    for (; (number = load<u16>(table + entry * entryBytes)) != 0; entry = (entry + 1) & (entries - 1)) {
      if (isSameText(load<u64>(distinct + (number - 1) * 8), text)) break
    }
    if (number == 0) {
      const length = text >> 32
      if (to + 4 + (length as usize) > dictionary + mostDictionaryBytes) return 0
      store<u64>(distinct + count * 8, (length << 32) | (to + 4))
      to = writePlainTexts(texts, texts + 8, to)
      number = ++count
      store<u16>(table + entry * entryBytes, number as u16)
    }
    store<u32>(indexes, number - 1)
  }
  return count
}

export function index4(
  values: usize,
  end: usize,
  table: usize,
  entries: u32,
  indexes: usize,
  dictionary: usize,
): u32 {
  return indexNumbers<u32>(values, end, table, entries, indexes, dictionary)
}

export function index8(
  values: usize,
  end: usize,
  table: usize,
  entries: u32,
  indexes: usize,
  dictionary: usize,
): u32 {
  return indexNumbers<u64>(values, end, table, entries, indexes, dictionary)
}

@inline
function indexNumbers<T>(
  values: usize,
  end: usize,
  table: usize,
  entries: u32,
  indexes: usize,
  dictionary: usize,
): u32 {
  memory.fill(table, 0, entries * entryBytes)
  let count: u32 = 0
  for (; values < end; values += sizeof<T>(), indexes += 4) {
    const value = load<T>(values)
    let entry = hashNumber(value as u64) & (entries - 1)
    let number: u32 = 0
    for (; (number = load<u16>(table + entry * entryBytes)) != 0; entry = (entry + 1) & (entries - 1)) {
      if (load<T>(dictionary + (number - 1) * sizeof<T>()) == value) break
    }
    if (number == 0) {
      if ((count + 1) * (sizeof<T>() as u32) > (mostDictionaryBytes as u32)) return 0
      store<T>(dictionary + count * sizeof<T>(), value)
      number = ++count
      store<u16>(table + entry * entryBytes, number as u16)
    }
    store<u32>(indexes, number - 1)
  }
  return count
}

/** Most floats have all that tells them apart in their upper half. */
@inline
function hashNumber(value: u64): u32 {
  return (((value ^ (value >> 32)) * multiplier) >> 32) as u32
}

@inline
function hashText(text: u64): u32 {
  let address = (text & 0xffffffff) as usize
  const length = text >> 32
  let hash = length * multiplier
  const end = address + (length as usize)
  for (; address + 8 <= end; address += 8) hash = mix(hash, load<u64>(address))
  // The bytes read behind the end are shifted out.
  if (address < end) hash = mix(hash, load<u64>(address) << (64 - (((end - address) as u64) << 3)))
  return ((hash ^ (hash >> 29)) >> 16) as u32
}

@inline
function mix(hash: u64, word: u64): u64 {
  return rotl(hash ^ word, 29) * multiplier
}

@inline
function isSameText(one: u64, other: u64): bool {
  return one >> 32 == other >> 32 && areEqual((one & 0xffffffff) as usize, (other & 0xffffffff) as usize, (one >> 32) as usize)
}

function areEqual(one: usize, other: usize, length: usize): bool {
  for (; length >= 8; length -= 8, one += 8, other += 8) if (load<u64>(one) != load<u64>(other)) return false
  return length == 0 || (load<u64>(one) ^ load<u64>(other)) << (64 - ((length as u64) << 3)) == 0
}
