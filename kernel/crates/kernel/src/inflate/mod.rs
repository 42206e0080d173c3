//! Inflates a stream of deflated bytes (RFC 1951), piece by piece: it stops wherever its input ends or its output is full, and
//! continues there with the next call.

mod codes;
mod symbols;

use crate::layout::*;
use crate::memory::{Address, Memory};
use codes::{Code, entry};
use crc32fast::Hasher;

const BLOCK: u32 = 0;
const STORED_LENGTH: u32 = 1;
const STORED: u32 = 2;
const COUNTS: u32 = 3;
const CODE_LENGTHS: u32 = 4;
const LENGTHS: u32 = 5;
const SYMBOLS: u32 = 6;

const CODE_LENGTH_SYMBOLS: usize = 19;
const MOST_LITERALS: usize = 286;
const MOST_DISTANCES: usize = 30;
const END_OF_BLOCK: usize = 256;

/// The order in which the lengths of the code of lengths come.
const ORDER: [u8; CODE_LENGTH_SYMBOLS] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The next phase, or the status with which the call ends.
type Phase = Result<u32, usize>;

/// Where the bytes come from and where they go. Up to `INFLATE_SLACK` bytes behind the limit are overwritten.
#[derive(Clone, Copy)]
struct Piece {
    input: Address,
    input_end: Address,
    /// The first of the bytes before `output` that matches may repeat.
    window: Address,
    output: Address,
    limit: Address,
}

struct Inflate {
    memory: Memory,
    state: Address,
    piece: Piece,
    bits: u64,
    bit_count: u32,
}

/// Inflates what the input has, or the output takes. The state, zeros at first but for the addresses of both, gets where they
/// have ended, and the CRC-32 of all output; returns a status.
pub fn inflate(memory: Memory, state: Address) -> usize {
    let piece = Piece::of(memory, state);
    let mut inflate = Inflate {
        memory,
        state,
        piece,
        bits: memory.u64(state + INFLATE_BITS),
        bit_count: memory.u32(state + INFLATE_BIT_COUNT),
    };
    let status = inflate.run();
    if status != INFLATE_NEEDS_INPUT {
        // Whole bytes that were not needed are the reader's again: all come from this piece.
        inflate.piece.input -= inflate.bit_count as usize / 8;
        inflate.bit_count &= 7;
        inflate.bits &= (1 << inflate.bit_count) - 1;
    }
    memory.set_u64(state + INFLATE_BITS, inflate.bits);
    memory.set_u32(state + INFLATE_BIT_COUNT, inflate.bit_count);
    memory.set_word(state + INFLATE_INPUT, inflate.piece.input);
    memory.set_word(state + INFLATE_OUTPUT, inflate.piece.output);
    let mut sum = Hasher::new_with_initial(memory.u32(state + INFLATE_SUM));
    sum.update(memory.slice(piece.output, inflate.piece.output - piece.output));
    memory.set_u32(state + INFLATE_SUM, sum.finalize());
    status
}

impl Piece {
    fn of(memory: Memory, state: Address) -> Self {
        let word = |at: usize| memory.word(state + at);
        Self {
            input: word(INFLATE_INPUT),
            input_end: word(INFLATE_INPUT_END),
            window: word(INFLATE_WINDOW),
            output: word(INFLATE_OUTPUT),
            limit: word(INFLATE_LIMIT),
        }
    }
}

impl Inflate {
    fn run(&mut self) -> usize {
        loop {
            let next = match self.memory.u32(self.state + INFLATE_PHASE) {
                BLOCK => self.begin_block(),
                STORED_LENGTH => self.read_stored_length(),
                STORED => self.copy_stored(),
                COUNTS => self.read_counts(),
                CODE_LENGTHS => self.read_code_lengths(),
                LENGTHS => self.read_lengths(),
                _ => self.read_symbols(),
            };
            match next {
                Ok(phase) => self.memory.set_u32(self.state + INFLATE_PHASE, phase),
                Err(status) => return status,
            }
        }
    }

    fn begin_block(&mut self) -> Phase {
        if self.word(INFLATE_IS_LAST) != 0 {
            return Err(INFLATE_ENDED);
        }
        let head = self.take(3)?;
        self.set_word(INFLATE_IS_LAST, head & 1);
        match head >> 1 {
            0 => Ok(STORED_LENGTH),
            1 => self.use_fixed_codes(),
            2 => Ok(COUNTS),
            _ => Err(INFLATE_BLOCK_TYPE),
        }
    }

    fn read_stored_length(&mut self) -> Phase {
        let rest = self.bit_count & 7;
        self.drop(rest);
        let lengths = self.take(32)?;
        let length = lengths & 0xffff;
        if length != !lengths >> 16 & 0xffff {
            return Err(INFLATE_STORED_LENGTH);
        }
        self.set_word(INFLATE_STORED_LEFT, length);
        Ok(STORED)
    }

    fn copy_stored(&mut self) -> Phase {
        let memory = self.memory;
        let mut left = self.word(INFLATE_STORED_LEFT);
        while left > 0 {
            let Piece { input, input_end, output, limit, .. } = self.piece;
            if output >= limit {
                return Err(INFLATE_FULL);
            }
            // Whole bytes may wait among the bits.
            if self.bit_count > 0 {
                let byte = self.take(8)?;
                self.piece.output = memory.put(output, byte as u8);
                left -= 1;
            } else {
                let bytes = left.min(limit - output).min(input_end - input);
                if bytes == 0 {
                    return Err(INFLATE_NEEDS_INPUT);
                }
                memory.copy(output, input, bytes);
                self.piece.input += bytes;
                self.piece.output += bytes;
                left -= bytes;
            }
            self.set_word(INFLATE_STORED_LEFT, left);
        }
        Ok(BLOCK)
    }

    fn read_counts(&mut self) -> Phase {
        let counts = self.take(14)?;
        let (literals, distances) = ((counts & 31) + 257, (counts >> 5 & 31) + 1);
        if literals > MOST_LITERALS || distances > MOST_DISTANCES {
            return Err(INFLATE_SYMBOLS);
        }
        self.set_word(INFLATE_LITERALS, literals);
        self.set_word(INFLATE_DISTANCES, distances);
        self.set_word(INFLATE_CODE_LENGTHS, (counts >> 10) + 4);
        self.set_word(INFLATE_INDEX, 0);
        self.memory.fill(self.state + INFLATE_LENGTHS, 0, CODE_LENGTH_SYMBOLS);
        Ok(CODE_LENGTHS)
    }

    fn read_code_lengths(&mut self) -> Phase {
        let lengths = self.state + INFLATE_LENGTHS;
        let count = self.word(INFLATE_CODE_LENGTHS);
        for (index, symbol) in ORDER.iter().enumerate().take(count).skip(self.word(INFLATE_INDEX)) {
            self.set_word(INFLATE_INDEX, index);
            let length = self.take(3)?;
            self.memory.set_u8(lengths + *symbol as usize, length as u8);
        }
        let code = Code {
            lengths,
            symbols: CODE_LENGTH_SYMBOLS,
            table: self.state + INFLATE_LITERAL_TABLE,
            table_bits: INFLATE_CODE_BITS,
            may_be_single: false,
        };
        if !code.build(self.memory, |symbol, bits| (symbol as u32) << entry::VALUE_SHIFT | bits) {
            return Err(INFLATE_CODE_LENGTH_CODE);
        }
        self.set_word(INFLATE_INDEX, 0);
        Ok(LENGTHS)
    }

    /// The lengths of the codes of literals and of distances, one after the other.
    fn read_lengths(&mut self) -> Phase {
        let memory = self.memory;
        let lengths = self.state + INFLATE_LENGTHS;
        let count = self.word(INFLATE_LITERALS) + self.word(INFLATE_DISTANCES);
        loop {
            let index = self.word(INFLATE_INDEX);
            if index == count {
                break;
            }
            self.refill_bytes();
            let mask = (1 << INFLATE_CODE_BITS) - 1;
            let found = memory.u32(self.state + INFLATE_LITERAL_TABLE + (self.bits as usize & mask) * 4);
            let (bits, symbol) = (found & 0xff, found >> entry::VALUE_SHIFT);
            let (extra, base) = match symbol {
                16 => (2, 3),
                17 => (3, 3),
                18 => (7, 11),
                _ => (0, 1),
            };
            if self.bit_count < bits + extra {
                return Err(INFLATE_NEEDS_INPUT);
            }
            self.drop(bits);
            let times = base + (self.bits as usize & ((1 << extra) - 1));
            self.drop(extra);
            if index + times > count || (symbol == 16 && index == 0) {
                return Err(INFLATE_REPEAT);
            }
            let length = match symbol {
                16 => memory.u8(lengths + index - 1),
                17 | 18 => 0,
                _ => symbol as u8,
            };
            memory.fill(lengths + index, length, times);
            self.set_word(INFLATE_INDEX, index + times);
        }
        if memory.u8(lengths + END_OF_BLOCK) == 0 {
            return Err(INFLATE_NO_END);
        }
        self.build_codes()
    }

    fn use_fixed_codes(&mut self) -> Phase {
        let lengths = self.state + INFLATE_LENGTHS;
        for (first, end, length) in [(0, 144, 8), (144, 256, 9), (256, 280, 7), (280, 288, 8), (288, 320, 5)] {
            self.memory.fill(lengths + first, length, end - first);
        }
        self.set_word(INFLATE_LITERALS, codes::MOST_SYMBOLS);
        self.set_word(INFLATE_DISTANCES, 32);
        self.build_codes()
    }

    fn build_codes(&mut self) -> Phase {
        let lengths = self.state + INFLATE_LENGTHS;
        let symbols = self.word(INFLATE_LITERALS);
        let literals = Code {
            lengths,
            symbols,
            table: self.state + INFLATE_LITERAL_TABLE,
            table_bits: INFLATE_LITERAL_BITS,
            may_be_single: true,
        };
        if !literals.build(self.memory, symbols::to_literal_entry) {
            return Err(INFLATE_LITERAL_CODE_SET);
        }
        let distances = Code {
            lengths: lengths + symbols,
            symbols: self.word(INFLATE_DISTANCES),
            table: self.state + INFLATE_DISTANCE_TABLE,
            table_bits: INFLATE_DISTANCE_BITS,
            may_be_single: true,
        };
        if !distances.build(self.memory, symbols::to_distance_entry) {
            return Err(INFLATE_DISTANCE_CODE_SET);
        }
        Ok(SYMBOLS)
    }

    /// Takes this many bits, at most 32; none of them if the input has not enough.
    fn take(&mut self, count: u32) -> Result<usize, usize> {
        self.refill_bytes();
        if self.bit_count < count {
            return Err(INFLATE_NEEDS_INPUT);
        }
        let taken = self.bits & ((1 << count) - 1);
        self.drop(count);
        Ok(taken as usize)
    }

    #[inline(always)]
    fn drop(&mut self, count: u32) {
        self.bits >>= count;
        self.bit_count -= count;
    }

    /// Takes bytes of the input until there are 56 bits, as far as there are any.
    fn refill_bytes(&mut self) {
        while self.bit_count < 56 && self.piece.input < self.piece.input_end {
            self.bits |= u64::from(self.memory.u8(self.piece.input)) << self.bit_count;
            self.bit_count += 8;
            self.piece.input += 1;
        }
    }

    fn word(&self, at: usize) -> usize {
        self.memory.word(self.state + at)
    }

    fn set_word(&self, at: usize, value: usize) {
        self.memory.set_word(self.state + at, value);
    }
}
