//! Values in plain encoding.

use super::split;
use crate::memory::{Address, Memory};

/// Writes texts, given as pairs of address and length, each behind its length. Returns the end.
#[inline(always)]
pub fn write_plain_texts(memory: Memory, texts: Address, end: Address, mut to: Address) -> Address {
    for at in (texts..end).step_by(8) {
        let (address, length) = split(memory.u64(at));
        memory.set_word(to, length);
        memory.copy(to + 4, address, length);
        to += 4 + length;
    }
    to
}

/// The number of bytes that `write_plain_texts` writes.
pub fn measure_plain_texts(memory: Memory, texts: Address, end: Address) -> usize {
    (texts..end).step_by(8).map(|at| 4 + memory.word(at + 4)).sum()
}

/// Writes booleans, given as bytes, as bits. Returns the end.
pub fn write_plain_booleans(memory: Memory, booleans: Address, end: Address, mut to: Address) -> Address {
    for eight in memory.slice(booleans, end - booleans).chunks(8) {
        let bits = eight.iter().enumerate().fold(0, |bits, (index, boolean)| bits | (boolean << index));
        to = memory.put(to, bits);
    }
    to
}
