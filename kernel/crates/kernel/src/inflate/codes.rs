//! Tables that decode Huffman codes of up to 15 bits: a table by the first bits, and behind it tables for what is longer.

use crate::memory::{Address, Memory};

const LONGEST: usize = 15;
/// The most symbols of any code.
pub const MOST_SYMBOLS: usize = 288;

/// An entry says how many bits it takes, in its lowest byte; a length or a distance includes its extra bits. The next four bits are
/// those of the code alone, or of the table behind. Then come flags, and in the upper half the literal, the base, or where the
/// table behind begins.
pub mod entry {
    pub const CODE_SHIFT: u32 = 8;
    pub const LITERAL: u32 = 1 << 12;
    /// Neither a literal nor a length: one of the next, or no code.
    pub const OTHER: u32 = 1 << 13;
    pub const TABLE: u32 = 1 << 14;
    pub const END: u32 = 1 << 15;
    pub const VALUE_SHIFT: u32 = 16;
}

/// A code of some symbols, whose lengths are bytes in the memory; a length of 0 is that of no code.
pub struct Code {
    pub lengths: Address,
    pub symbols: usize,
    pub table: Address,
    pub table_bits: usize,
    /// False for the code of lengths, which is never incomplete.
    pub may_be_single: bool,
}

impl Code {
    /// Writes the tables, with what `to_entry` gives for a symbol and the bits of its code. False for lengths that make no code.
    pub fn build(&self, memory: Memory, to_entry: impl Fn(usize, u32) -> u32) -> bool {
        let mut counts = [0usize; LONGEST + 1];
        for symbol in 0..self.symbols {
            counts[memory.u8(self.lengths + symbol) as usize & LONGEST] += 1;
        }
        counts[0] = 0;
        let longest = (1..=LONGEST).rev().find(|length| counts[*length] > 0).unwrap_or(0);
        let mut left = 1isize;
        for count in &counts[1..] {
            left = left * 2 - *count as isize;
            if left < 0 {
                return false;
            }
        }
        if left > 0 {
            // None at all, or one of a single bit. As in zlib, a length of no code is 0, and takes a bit.
            if longest > 1 || (longest == 1 && !self.may_be_single) {
                return false;
            }
            for index in 0..1 << self.table_bits {
                memory.set_u32(self.table + index * 4, entry::OTHER | 1);
            }
        }
        self.fill(memory, counts, longest, to_entry);
        true
    }

    fn fill(
        &self,
        memory: Memory,
        mut counts: [usize; LONGEST + 1],
        longest: usize,
        to_entry: impl Fn(usize, u32) -> u32,
    ) {
        let mut first = [0usize; LONGEST + 2];
        for length in 1..=LONGEST {
            first[length + 1] = first[length] + counts[length];
        }
        let used = first[LONGEST + 1];
        let mut sorted = [0u16; MOST_SYMBOLS];
        for symbol in 0..self.symbols {
            let length = memory.u8(self.lengths + symbol) as usize & LONGEST;
            if length > 0 {
                sorted[first[length]] = symbol as u16;
                first[length] += 1;
            }
        }
        let mask = (1 << self.table_bits) - 1;
        let mut end = 1 << self.table_bits;
        let (mut prefix, mut behind, mut behind_bits) = (usize::MAX, 0, 0);
        // The code with its first bit as the lowest one, as it comes.
        let mut code = 0usize;
        for symbol in &sorted[..used] {
            let symbol = *symbol as usize;
            let length = memory.u8(self.lengths + symbol) as usize;
            if length <= self.table_bits {
                self.repeat(memory, 0, self.table_bits, code, length, to_entry(symbol, length as u32));
            } else {
                if code & mask != prefix {
                    prefix = code & mask;
                    behind = end;
                    behind_bits = self.bits_behind(&counts, length, longest);
                    end += 1 << behind_bits;
                    let link = entry::OTHER | entry::TABLE | (behind as u32) << entry::VALUE_SHIFT;
                    let bits = (behind_bits as u32) << entry::CODE_SHIFT | self.table_bits as u32;
                    memory.set_u32(self.table + prefix * 4, link | bits);
                }
                let rest = length - self.table_bits;
                let found = to_entry(symbol, rest as u32);
                self.repeat(memory, behind, behind_bits, code >> self.table_bits, rest, found);
            }
            counts[length] -= 1;
            code = next_code(code, length);
        }
    }

    /// Writes an entry wherever its code is followed by other bits.
    fn repeat(&self, memory: Memory, start: usize, bits: usize, code: usize, length: usize, entry: u32) {
        let mut index = code;
        while index < 1 << bits {
            memory.set_u32(self.table + (start + index) * 4, entry);
            index += 1 << length;
        }
    }

    /// The bits of a table that holds all codes with the prefix of the next one, which has this length.
    fn bits_behind(&self, counts: &[usize; LONGEST + 1], length: usize, longest: usize) -> usize {
        let mut bits = length - self.table_bits;
        let mut left = 1isize << bits;
        while bits + self.table_bits < longest {
            left -= counts[bits + self.table_bits] as isize;
            if left <= 0 {
                break;
            }
            bits += 1;
            left *= 2;
        }
        bits
    }
}

/// Adds one to a code whose first bit is its lowest.
fn next_code(code: usize, length: usize) -> usize {
    let mut bit = 1 << (length - 1);
    while bit > 0 && code & bit != 0 {
        bit >>= 1;
    }
    if bit == 0 { 0 } else { (code & (bit - 1)) + bit }
}
