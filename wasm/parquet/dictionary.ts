import { dictionaryEntries, mostDictionaryBytes, entryBytes } from '../../src/formats/parquet/dictionary-layout'
import { writePlainTexts } from './plain'

/*
 * The distinct values of a column in the order in which they come, in plain encoding, and for each value which of them it
 * is, as a word. The table's entries have a hash, and the number of the value that has it, from 1 on. Each function returns
 * how many distinct values there are, or 0 where they would take more than `mostDictionaryBytes`.
 */

const entries: u32 = dictionaryEntries
const multiplier: u64 = 0x9e3779b97f4a7c15

/** `starts` gets the address of each distinct text in the dictionary, then that of its end. */
export function indexTexts(
  texts: usize,
  end: usize,
  table: usize,
  starts: usize,
  indexes: usize,
  dictionary: usize,
): u32 {
  memory.fill(table, 0, entries * entryBytes)
  let count: u32 = 0
  let to = dictionary
  let last: usize = 0
  for (; texts < end; texts += 8, indexes += 4) {
    // Rows of the same parent are neighbours.
    if (last != 0 && isSameText(last, texts)) {
      store<u32>(indexes, load<u32>(indexes - 4))
      continue
    }
    last = texts
    const hash = hashText(load<u32>(texts), load<u32>(texts, 4))
    let entry = hash & (entries - 1)
    let number: u32 = 0
    for (; (number = load<u32>(table + entry * entryBytes, 4)) != 0; entry = (entry + 1) & (entries - 1)) {
      if (load<u32>(table + entry * entryBytes) == hash && isText(load<u32>(starts + (number - 1) * 4), texts)) break
    }
    if (number == 0) {
      if (to + 4 + load<u32>(texts, 4) > dictionary + mostDictionaryBytes) return 0
      store<u32>(starts + count * 4, to as u32)
      to = writePlainTexts(texts, texts + 8, to)
      number = ++count
      store<u32>(table + entry * entryBytes, hash)
      store<u32>(table + entry * entryBytes, number, 4)
    }
    store<u32>(indexes, number - 1)
  }
  store<u32>(starts + count * 4, to as u32)
  return count
}

export function index4(
  values: usize,
  end: usize,
  table: usize,
  indexes: usize,
  dictionary: usize,
): u32 {
  return indexNumbers<u32>(values, end, table, indexes, dictionary)
}

export function index8(
  values: usize,
  end: usize,
  table: usize,
  indexes: usize,
  dictionary: usize,
): u32 {
  return indexNumbers<u64>(values, end, table, indexes, dictionary)
}

@inline
function indexNumbers<T>(
  values: usize,
  end: usize,
  table: usize,
  indexes: usize,
  dictionary: usize,
): u32 {
  memory.fill(table, 0, entries * entryBytes)
  let count: u32 = 0
  for (; values < end; values += sizeof<T>(), indexes += 4) {
    const value = load<T>(values)
    const hash = (((value as u64) * multiplier) >> 32) as u32
    let entry = hash & (entries - 1)
    let number: u32 = 0
    for (; (number = load<u32>(table + entry * entryBytes, 4)) != 0; entry = (entry + 1) & (entries - 1)) {
      if (load<T>(dictionary + (number - 1) * sizeof<T>()) == value) break
    }
    if (number == 0) {
      if ((count + 1) * (sizeof<T>() as u32) > (mostDictionaryBytes as u32)) return 0
      store<T>(dictionary + count * sizeof<T>(), value)
      number = ++count
      store<u32>(table + entry * entryBytes, number, 4)
    }
    store<u32>(indexes, number - 1)
  }
  return count
}

function hashText(address: usize, length: u32): u32 {
  let hash: u64 = (length as u64) * multiplier
  const end = address + length
  for (; address + 8 <= end; address += 8) hash = mix(hash, load<u64>(address))
  // The bytes read behind the end are shifted out.
  if (address < end) hash = mix(hash, load<u64>(address) << (64 - (((end - address) as u64) << 3)))
  return ((hash ^ (hash >> 29)) >> 16) as u32
}

@inline
function mix(hash: u64, word: u64): u64 {
  return rotl(hash ^ word, 29) * multiplier
}

/** `start` is the address of a text of the dictionary, behind its length. */
@inline
function isText(start: usize, text: usize): bool {
  const length = load<u32>(text, 4)
  return load<u32>(start) == length && areEqual(start + 4, load<u32>(text), length)
}

@inline
function isSameText(one: usize, other: usize): bool {
  const length = load<u32>(other, 4)
  return load<u32>(one, 4) == length && areEqual(load<u32>(one), load<u32>(other), length)
}

function areEqual(one: usize, other: usize, length: usize): bool {
  for (; length >= 8; length -= 8, one += 8, other += 8) if (load<u64>(one) != load<u64>(other)) return false
  return length == 0 || (load<u64>(one) ^ load<u64>(other)) << (64 - ((length as u64) << 3)) == 0
}
