//! What the metadata of a file says of chunks and pages, one behind the other. All sizes are with the headers.
//!
//! - A chunk: words of the size of its dictionary (0 if there is none), that size before compression, and the number of its pages;
//!   then its bounds, then its pages.
//! - A page: words of its size, its size before compression, its slots (a null, and a list without elements, counts as one), its nulls
//!   and its first row; then its bounds.
//! - Bounds: words of what they are, and of the lengths of the least and the greatest value; then the bytes of both, of texts and in
//!   plain encoding of others, up to a multiple of 4.

use super::Refusal;
use super::bounds::{bound_decimals, bound_floats, bound_numbers, bound_texts};
use super::kind::Kind;
use super::text_bounds::{cut, raise};
use super::values::Values;
use crate::layout::{BOUNDS_FOUND, MAX_IS_RAISED, MIN_IS_CUT};
use crate::memory::{Address, Memory, fits};

const BOUNDS_WORDS: usize = 3;
/// The most that the bounds of numbers take.
const NUMBER_BYTES: usize = 32;
/// The most that a character more takes than the one that it replaces.
const RAISED_BYTES: usize = 4;

pub struct Facts {
    pub memory: Memory,
    pub at: Address,
    pub limit: Address,
}

impl Facts {
    pub fn add<const N: usize>(&mut self, words: [usize; N]) -> Result<(), Refusal> {
        let at = self.expect(N * 4)?;
        self.memory.set_words(at, words.map(|word| word as u32));
        self.at += N * 4;
        Ok(())
    }

    /// Adds again what was added between two addresses.
    pub fn repeat(&mut self, from: Address, to: Address) -> Result<(), Refusal> {
        let at = self.expect(to - from)?;
        self.memory.copy(at, from, to - from);
        self.at += to - from;
        Ok(())
    }

    pub fn add_bounds(&mut self, values: Values) -> Result<(), Refusal> {
        match values.kind {
            _ if values.count() == 0 => self.add([0; BOUNDS_WORDS]),
            Kind::Text => self.add_text_bounds(values),
            _ => self.add_number_bounds(values),
        }
    }

    fn add_number_bounds(&mut self, Values { memory, kind, start, end }: Values) -> Result<(), Refusal> {
        let to = self.expect(BOUNDS_WORDS * 4 + NUMBER_BYTES)? + BOUNDS_WORDS * 4;
        match kind {
            Kind::Float64 if !bound_floats(memory, start, end, to) => return self.add([0; BOUNDS_WORDS]),
            Kind::Float64 | Kind::Text => (),
            Kind::Boolean => bound_numbers::<u8>(memory, start, end, to),
            Kind::Int32 | Kind::Decimal32 => bound_numbers::<i32>(memory, start, end, to),
            Kind::Int64 | Kind::Decimal64 => bound_numbers::<i64>(memory, start, end, to),
            Kind::LongDecimal(width) => bound_decimals(memory, start, end, to, width),
        }
        let width = kind.width();
        self.close_bounds(BOUNDS_FOUND, width, width)
    }

    /// Long texts are cut, and the greatest is raised then; it stays whole if nothing so short is greater.
    fn add_text_bounds(&mut self, Values { memory, start, end, .. }: Values) -> Result<(), Refusal> {
        let (least, greatest) = bound_texts(memory, start, end);
        let to = self.expect(BOUNDS_WORDS * 4 + least.length + greatest.length + RAISED_BYTES)? + BOUNDS_WORDS * 4;
        let min = cut(memory.slice(least.address, least.length)).len();
        memory.copy(to, least.address, min);
        let cut_greatest = cut(memory.slice(greatest.address, greatest.length));
        let raised = if cut_greatest.len() < greatest.length { raise(cut_greatest) } else { None };
        let max = match raised {
            None => {
                memory.copy(to + min, greatest.address, greatest.length);
                greatest.length
            }
            Some((same, raised)) => {
                memory.copy(to + min, greatest.address, same);
                let mut raised_bytes = [0; 4];
                let raised_bytes = raised.encode_utf8(&mut raised_bytes).bytes();
                raised_bytes.fold(to + min + same, |to, byte| memory.put(to, byte)) - to - min
            }
        };
        let are = BOUNDS_FOUND
            | if min < least.length { MIN_IS_CUT } else { 0 }
            | if raised.is_some() { MAX_IS_RAISED } else { 0 };
        self.close_bounds(are, min, max)
    }

    /// Adds the words of bounds whose bytes were written behind them.
    fn close_bounds(&mut self, are: usize, min: usize, max: usize) -> Result<(), Refusal> {
        self.add([are, min, max])?;
        self.at += (min + max).next_multiple_of(4);
        Ok(())
    }

    fn expect(&self, bytes: usize) -> Result<Address, Refusal> {
        if fits(self.at, bytes as u64, self.limit) { Ok(self.at) } else { Err(Refusal::NoRoom) }
    }
}
