//! The values of a column without its nulls, one behind the other, as Parquet's plain encoding has them; text as pairs of address
//! and length, booleans as bytes.

use super::kind::Kind;
use super::levels::is_present;
use crate::memory::{Address, Memory, Number};

/// Values `from` to `to` of a column in a batch. The offsets are those of texts, from `values`.
#[derive(Clone, Copy)]
pub struct Source {
    pub validity: Address,
    pub offsets: Address,
    pub values: Address,
    pub from: usize,
    pub to: usize,
}

impl Source {
    /// Returns the end of the values.
    pub fn gather(self, memory: Memory, kind: Kind, to: Address) -> Address {
        match kind {
            Kind::Text => self.gather_texts(memory, to),
            Kind::Boolean => self.gather_booleans(memory, to),
            Kind::Int32 => self.gather_numbers::<u32>(memory, to, 4),
            Kind::Int64 | Kind::Float64 => self.gather_numbers::<u64>(memory, to, 8),
            Kind::Decimal32 => self.gather_numbers::<u32>(memory, to, 16),
            Kind::Decimal64 => self.gather_numbers::<u64>(memory, to, 16),
            Kind::LongDecimal(width) => self.gather_decimals(memory, to, width),
        }
    }

    fn gather_texts(self, memory: Memory, to: Address) -> Address {
        self.each(memory, to, |index, to| {
            let start = memory.word(self.offsets + index * 4);
            memory.set_word(to, self.values + start);
            memory.set_word(to + 4, memory.word(self.offsets + index * 4 + 4) - start);
            to + 8
        })
    }

    fn gather_booleans(self, memory: Memory, to: Address) -> Address {
        self.each(memory, to, |index, to| memory.put(to, u8::from(is_present(memory, self.values, index))))
    }

    /// Gathers numbers that lie `stride` apart; of wider ones the lower half or quarter.
    #[inline(always)]
    fn gather_numbers<N: Number>(self, memory: Memory, to: Address, stride: usize) -> Address {
        if self.validity == 0 && stride == N::BYTES {
            let bytes = (self.to - self.from) * stride;
            memory.copy(to, self.values + self.from * stride, bytes);
            return to + bytes;
        }
        self.each(memory, to, |index, to| {
            N::read(memory, self.values + index * stride).write(memory, to);
            to + N::BYTES
        })
    }

    /// Gathers decimals of 128 bits as `width` bytes, the most significant first.
    fn gather_decimals(self, memory: Memory, to: Address, width: usize) -> Address {
        self.each(memory, to, |index, to| {
            let decimal = self.values + index * 16;
            for byte in 0..width {
                memory.set_u8(to + byte, memory.u8(decimal + width - 1 - byte));
            }
            to + width
        })
    }

    /// Writes each value that is there with `write`, which returns the end of it.
    #[inline(always)]
    fn each(self, memory: Memory, mut to: Address, write: impl Fn(usize, Address) -> Address) -> Address {
        for index in self.from..self.to {
            if is_present(memory, self.validity, index) {
                to = write(index, to);
            }
        }
        to
    }
}
