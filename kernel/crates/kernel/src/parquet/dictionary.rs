//! The distinct values of a column in the order in which they come, in plain encoding, and for each value which of them it is, as
//! a word.

use super::kind::Kind;
use super::plain::write_plain_texts;
use super::room::Room;
use super::values::Values;
use super::{Refusal, split};
use crate::memory::{Address, Bytes, Memory, Number};

/// A column whose dictionary outgrows this is written in plain encoding. A larger one would exceed the nearest cache in lookups, and
/// many columns are unique.
const MOST_BYTES: usize = 32_768;
/// Each value has four bytes at least.
const MOST_VALUES: usize = MOST_BYTES / 4;
const ENTRY_BYTES: usize = 2;
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Copy)]
pub struct Dictionary {
    pub values: Values,
    pub page: Bytes,
    /// The bits of an index, and the indexes.
    pub bits: usize,
    pub indexes: Address,
}

/// The dictionary of a column; none if it and the indexes into it are not smaller than the values.
pub fn find(values: Values, plain_bytes: usize, room: &mut Room) -> Result<Option<Dictionary>, Refusal> {
    let count = values.count();
    if count == 0 || !values.kind.has_dictionary() {
        return Ok(None);
    }
    let most = count.min(MOST_VALUES);
    let entries = (2 * most).next_power_of_two();
    let table = Table {
        table: room.take((entries * ENTRY_BYTES) as u64)?,
        entries,
        indexes: room.take(count as u64 * 4)?,
        dictionary: room.take(MOST_BYTES as u64)?,
        texts: room.take((most * values.kind.width()) as u64)?,
    };
    let Some(distinct) = table.index(values) else { return Ok(None) };
    let page = Bytes { address: table.dictionary, length: distinct.plain_bytes() };
    let bits = (usize::BITS - (distinct.count() - 1).leading_zeros()).max(1) as usize;
    let is_smaller = (page.length as u64) * 8 + (count as u64) * (bits as u64) < plain_bytes as u64 * 8;
    Ok(is_smaller.then_some(Dictionary { values: distinct, page, bits, indexes: table.indexes }))
}

/// The numbers of values, from 1 on, by hash. There are `entries`, a power of 2 that is at least twice the number of values.
#[derive(Clone, Copy)]
pub struct Table {
    pub table: Address,
    pub entries: usize,
    pub indexes: Address,
    pub dictionary: Address,
    /// Gets the texts of the dictionary as pairs of address and length.
    pub texts: Address,
}

impl Table {
    /// The distinct values; none if they would take too much.
    pub fn index(self, values: Values) -> Option<Values> {
        let Values { memory, kind, start, end } = values;
        let (first, count) = match kind {
            Kind::Text => (self.texts, index_texts(memory, self, start, end)),
            _ if kind.width() == 4 => (self.dictionary, index_numbers::<u32>(memory, self, start, end)),
            _ => (self.dictionary, index_numbers::<u64>(memory, self, start, end)),
        };
        (count > 0).then_some(Values { start: first, end: first + count * kind.width(), ..values })
    }

    fn clear(self, memory: Memory) {
        memory.fill(self.table, 0, self.entries * ENTRY_BYTES);
    }

    /// The number of the value of this hash that `is_same` accepts by its number; or the entry in which it is missing.
    #[inline(always)]
    fn find(self, memory: Memory, hash: u32, is_same: impl Fn(usize) -> bool) -> Result<usize, Address> {
        let mut entry = hash as usize & (self.entries - 1);
        loop {
            let at = self.table + entry * ENTRY_BYTES;
            let number = usize::from(memory.u16(at));
            if number == 0 {
                return Err(at);
            }
            if is_same(number - 1) {
                return Ok(number);
            }
            entry = (entry + 1) & (self.entries - 1);
        }
    }
}

/// Returns how many distinct texts there are, or 0 if they would take too much.
fn index_texts(memory: Memory, to: Table, texts: Address, end: Address) -> usize {
    let distinct = to.texts;
    to.clear(memory);
    let mut count = 0;
    let mut at = to.dictionary;
    let mut last = 0;
    let mut number = 0;
    for (position, address) in (texts..end).step_by(8).enumerate() {
        let text = memory.u64(address);
        // Rows of the same parent are neighbours.
        if last == 0 || !is_same_text(memory, last, text) {
            last = text;
            let is_same = |index| is_same_text(memory, memory.u64(distinct + index * 8), text);
            number = match to.find(memory, hash_text(memory, text), is_same) {
                Ok(number) => number,
                Err(entry) => {
                    let (_, length) = split(text);
                    if at + 4 + length > to.dictionary + MOST_BYTES {
                        return 0;
                    }
                    memory.set_word(distinct + count * 8, at + 4);
                    memory.set_word(distinct + count * 8 + 4, length);
                    at = write_plain_texts(memory, address, address + 8, at);
                    count += 1;
                    memory.set_u16(entry, count as u16);
                    count
                }
            };
        }
        memory.set_word(to.indexes + position * 4, number - 1);
    }
    count
}

#[inline(always)]
fn index_numbers<N: Number>(memory: Memory, to: Table, values: Address, end: Address) -> usize {
    to.clear(memory);
    let mut count = 0;
    for (position, at) in (values..end).step_by(N::BYTES).enumerate() {
        let value = N::read(memory, at);
        let is_same = |index| N::read(memory, to.dictionary + index * N::BYTES) == value;
        let number = match to.find(memory, hash_number(value.to_u64()), is_same) {
            Ok(number) => number,
            Err(entry) => {
                if (count + 1) * N::BYTES > MOST_BYTES {
                    return 0;
                }
                value.write(memory, to.dictionary + count * N::BYTES);
                count += 1;
                memory.set_u16(entry, count as u16);
                count
            }
        };
        memory.set_word(to.indexes + position * 4, number - 1);
    }
    count
}

/// Most floats have all that tells them apart in their upper half.
#[inline(always)]
fn hash_number(value: u64) -> u32 {
    ((value ^ (value >> 32)).wrapping_mul(MULTIPLIER) >> 32) as u32
}

#[inline(always)]
fn hash_text(memory: Memory, text: u64) -> u32 {
    let (mut address, length) = split(text);
    let end = address + length;
    let mut hash = (length as u64).wrapping_mul(MULTIPLIER);
    while address + 8 <= end {
        hash = mix(hash, memory.u64(address));
        address += 8;
    }
    // The bytes read behind the end are shifted out.
    if address < end {
        hash = mix(hash, memory.u64(address) << (64 - (end - address) * 8));
    }
    ((hash ^ (hash >> 29)) >> 16) as u32
}

#[inline(always)]
fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).rotate_left(29).wrapping_mul(MULTIPLIER)
}

#[inline(always)]
fn is_same_text(memory: Memory, one: u64, other: u64) -> bool {
    one >> 32 == other >> 32 && are_equal(memory, one as u32 as usize, other as u32 as usize, (one >> 32) as usize)
}

/// Reads up to seven bytes behind both.
#[inline(always)]
fn are_equal(memory: Memory, mut one: Address, mut other: Address, mut length: usize) -> bool {
    while length >= 8 {
        if memory.u64(one) != memory.u64(other) {
            return false;
        }
        length -= 8;
        one += 8;
        other += 8;
    }
    length == 0 || (memory.u64(one) ^ memory.u64(other)) << (64 - length * 8) == 0
}
