//! The distinct values of a column in the order in which they come, in plain encoding, and for each value which of them it is, as
//! a word. The table has `entries`, a power of 2 that is at least twice the number of distinct values: each is the number of a
//! value, from 1 on. The functions return how many distinct values there are, or 0 if they would take more than
//! `MOST_DICTIONARY_BYTES`.

use super::plain::write_plain_texts;
use super::split;
use crate::layout::{ENTRY_BYTES, MOST_DICTIONARY_BYTES};
use crate::memory::{Address, Memory, Number};

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Where the table, the indexes and the dictionary go.
#[derive(Clone, Copy)]
pub struct Dictionary {
    pub table: Address,
    pub entries: usize,
    pub indexes: Address,
    pub dictionary: Address,
}

impl Dictionary {
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

/// `distinct` gets the distinct texts as they are in the dictionary, as pairs of address and length.
pub fn index_texts(memory: Memory, to: Dictionary, texts: Address, end: Address, distinct: Address) -> usize {
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
                    if at + 4 + length > to.dictionary + MOST_DICTIONARY_BYTES {
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
pub fn index_numbers<N: Number>(memory: Memory, to: Dictionary, values: Address, end: Address) -> usize {
    to.clear(memory);
    let mut count = 0;
    for (position, at) in (values..end).step_by(N::BYTES).enumerate() {
        let value = N::read(memory, at);
        let is_same = |index| N::read(memory, to.dictionary + index * N::BYTES) == value;
        let number = match to.find(memory, hash_number(value.to_u64()), is_same) {
            Ok(number) => number,
            Err(entry) => {
                if (count + 1) * N::BYTES > MOST_DICTIONARY_BYTES {
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
