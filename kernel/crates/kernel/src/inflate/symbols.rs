//! The symbols of a block: literals, and matches that repeat earlier bytes.

use super::codes::entry::{CODE_SHIFT, END, LITERAL, OTHER, TABLE, VALUE_SHIFT};
use super::{BLOCK, END_OF_BLOCK, Inflate, Phase, Piece};
use crate::layout::*;
use crate::memory::{Address, Memory};

const LENGTH_BASES: [u16; 29] =
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_EXTRA_BITS: [u8; 29] =
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES: usize = 30;

/// Bytes of the input that a step takes at most.
const STEP_BYTES: usize = 16;

const LITERAL_MASK: u64 = (1 << INFLATE_LITERAL_BITS) - 1;
const DISTANCE_MASK: u64 = (1 << INFLATE_DISTANCE_BITS) - 1;

pub(super) fn to_literal_entry(symbol: usize, bits: u32) -> u32 {
    if symbol < END_OF_BLOCK {
        return LITERAL | (symbol as u32) << VALUE_SHIFT | bits;
    }
    if symbol == END_OF_BLOCK {
        return OTHER | END | bits;
    }
    match LENGTH_BASES.get(symbol - END_OF_BLOCK - 1) {
        Some(base) => to_entry(u32::from(*base), u32::from(LENGTH_EXTRA_BITS[symbol - END_OF_BLOCK - 1]), bits),
        None => OTHER,
    }
}

pub(super) fn to_distance_entry(symbol: usize, bits: u32) -> u32 {
    if symbol >= DISTANCES {
        return OTHER;
    }
    let extra = (symbol as u32 / 2).saturating_sub(1);
    let base = if symbol < 4 { symbol as u32 + 1 } else { ((2 + (symbol as u32 & 1)) << extra) + 1 };
    to_entry(base, extra, bits)
}

fn to_entry(base: u32, extra: u32, bits: u32) -> u32 {
    base << VALUE_SHIFT | bits << CODE_SHIFT | (bits + extra)
}

/// The base of an entry with the extra bits that follow its code.
#[inline(always)]
fn value_of(entry: u32, bits: u64) -> usize {
    let extra = (bits & ((1 << (entry & 0x3f)) - 1)) >> (entry >> CODE_SHIFT & 15);
    (entry >> VALUE_SHIFT) as usize + extra as usize
}

impl Inflate {
    pub(super) fn read_symbols(&mut self) -> Phase {
        loop {
            if let Some(next) = self.read_quickly() {
                return next;
            }
            if let Some(phase) = self.read_one()? {
                return Ok(phase);
            }
        }
    }

    /// Reads as long as the input has more than a step takes; None if it has not, or the output is full.
    #[inline(always)]
    fn read_quickly(&mut self) -> Option<Phase> {
        let Self { memory, state, mut bits, mut bit_count, piece, .. } = *self;
        let Piece { mut input, input_end, window, mut output, limit } = piece;
        let (literals, distances) = (state + INFLATE_LITERAL_TABLE, state + INFLATE_DISTANCE_TABLE);
        macro_rules! refill {
            () => {
                bits |= memory.u64(input) << bit_count;
                input += (63 - bit_count as usize) >> 3;
                bit_count |= 56;
            };
        }
        macro_rules! drop {
            ($count:expr) => {
                let count = $count & 0x3f;
                bits >>= count;
                bit_count -= count;
            };
        }
        let mut next = None;
        while input + STEP_BYTES <= input_end && output < limit {
            refill!();
            let mut found = memory.u32(literals + (bits & LITERAL_MASK) as usize * 4);
            if found & LITERAL != 0 {
                drop!(found);
                output = memory.put(output, (found >> VALUE_SHIFT) as u8);
                found = memory.u32(literals + (bits & LITERAL_MASK) as usize * 4);
                if found & LITERAL != 0 {
                    drop!(found);
                    output = memory.put(output, (found >> VALUE_SHIFT) as u8);
                    found = memory.u32(literals + (bits & LITERAL_MASK) as usize * 4);
                    if found & LITERAL != 0 {
                        drop!(found);
                        output = memory.put(output, (found >> VALUE_SHIFT) as u8);
                        continue;
                    }
                }
                refill!();
            }
            if found & OTHER != 0 {
                if found & TABLE != 0 {
                    drop!(found);
                    let mask = (1u64 << (found >> CODE_SHIFT & 15)) - 1;
                    let index = (found >> VALUE_SHIFT) as usize + (bits & mask) as usize;
                    found = memory.u32(literals + index * 4);
                    if found & LITERAL != 0 {
                        drop!(found);
                        output = memory.put(output, (found >> VALUE_SHIFT) as u8);
                        continue;
                    }
                }
                if found & END != 0 {
                    drop!(found);
                    next = Some(Ok(BLOCK));
                    break;
                }
                if found & OTHER != 0 {
                    next = Some(Err(INFLATE_LITERAL_CODE));
                    break;
                }
            }
            let length = value_of(found, bits);
            drop!(found);
            found = memory.u32(distances + (bits & DISTANCE_MASK) as usize * 4);
            if found & TABLE != 0 {
                drop!(found);
                let mask = (1u64 << (found >> CODE_SHIFT & 15)) - 1;
                let index = (found >> VALUE_SHIFT) as usize + (bits & mask) as usize;
                found = memory.u32(distances + index * 4);
            }
            if found & OTHER != 0 {
                next = Some(Err(INFLATE_DISTANCE_CODE));
                break;
            }
            let distance = value_of(found, bits);
            drop!(found);
            if distance > output - window {
                next = Some(Err(INFLATE_TOO_FAR_BACK));
                break;
            }
            memory.repeat(output, distance, length);
            output += length;
        }
        // Bytes that a refill has read but not counted come again.
        self.bits = bits & ((1 << bit_count) - 1);
        self.bit_count = bit_count;
        self.piece.input = input;
        self.piece.output = output;
        next
    }

    /// Reads one symbol, a match with its distance, if the bits that are left are all of it.
    fn read_one(&mut self) -> Result<Option<u32>, usize> {
        if self.piece.output >= self.piece.limit {
            return Err(INFLATE_FULL);
        }
        self.refill_bytes();
        let (bits, bit_count) = (self.bits, self.bit_count);
        let found = self.find(INFLATE_LITERAL_TABLE, LITERAL_MASK);
        let Some(found) = found else { return self.give_back(bits, bit_count, INFLATE_LITERAL_CODE) };
        let Piece { output, window, .. } = self.piece;
        if found & LITERAL != 0 {
            self.drop(found & 0xff);
            self.piece.output = self.memory.put(output, (found >> VALUE_SHIFT) as u8);
            return Ok(None);
        }
        if found & END != 0 {
            self.drop(found & 0xff);
            return Ok(Some(BLOCK));
        }
        let length = value_of(found, self.bits);
        self.drop(found & 0xff);
        let found = self.find(INFLATE_DISTANCE_TABLE, DISTANCE_MASK);
        let Some(found) = found else { return self.give_back(bits, bit_count, INFLATE_DISTANCE_CODE) };
        let distance = value_of(found, self.bits);
        self.drop(found & 0xff);
        if distance > output - window {
            return Err(INFLATE_TOO_FAR_BACK);
        }
        self.memory.repeat(output, distance, length);
        self.piece.output += length;
        Ok(None)
    }

    /// Finds the entry of the next code, and drops the bits before a table behind. None if there are not enough bits for it, or no
    /// code has these.
    fn find(&mut self, table: usize, mask: u64) -> Option<u32> {
        let table = self.state + table;
        let mut found = self.memory.u32(table + (self.bits & mask) as usize * 4);
        if found & TABLE != 0 && found & 0xff <= self.bit_count {
            self.drop(found & 0xff);
            let mask = (1u64 << (found >> CODE_SHIFT & 15)) - 1;
            found = self.memory.u32(table + ((found >> VALUE_SHIFT) as usize + (self.bits & mask) as usize) * 4);
        }
        let is_code = found & OTHER == 0 || found & END != 0;
        if is_code && found & 0xff <= self.bit_count { Some(found) } else { None }
    }

    /// With more input the bits may be a code; if a whole match has no more bits than there are, they are none.
    fn give_back(&mut self, bits: u64, bit_count: u32, status: usize) -> Result<Option<u32>, usize> {
        self.bits = bits;
        self.bit_count = bit_count;
        Err(if bit_count >= MATCH_BITS { status } else { INFLATE_NEEDS_INPUT })
    }
}

/// The most bits of a match: 15 and 5 of its length, 15 and 13 of its distance.
const MATCH_BITS: u32 = 48;

impl Memory {
    /// Repeats the bytes that are `distance` before `to`, over themselves if they are too few. Up to 16 bytes behind are overwritten.
    #[inline(always)]
    fn repeat(self, to: Address, distance: usize, length: usize) {
        let from = to - distance;
        let mut done = 0;
        if distance >= 16 {
            loop {
                self.set_bytes16(to + done, self.bytes16(from + done));
                done += 16;
                if done >= length {
                    return;
                }
            }
        }
        if distance >= 8 {
            while done < length {
                self.set_u64(to + done, self.u64(from + done));
                done += 8;
            }
            return;
        }
        while done < length {
            self.set_u8(to + done, self.u8(from + done));
            done += 1;
        }
    }
}
