//! The values of a column without its nulls, one behind the other, as Parquet's plain encoding has them; text as pairs of address
//! and length, booleans as bytes. Each function gathers the values between two indexes and returns the end of them.

use super::levels::is_present;
use crate::memory::{Address, Memory, Number};

/// Values `from` to `to` of a column, and where they go.
#[derive(Clone, Copy)]
pub struct Gathering {
    pub validity: Address,
    pub from: usize,
    pub to: usize,
    pub target: Address,
}

impl Gathering {
    /// Writes each value that is there with `write`, which returns the end of it.
    #[inline(always)]
    fn each(self, memory: Memory, write: impl Fn(usize, Address) -> Address) -> Address {
        let Self { validity, from, to, mut target } = self;
        for index in from..to {
            if is_present(memory, validity, index) {
                target = write(index, target);
            }
        }
        target
    }
}

pub fn gather_texts(memory: Memory, values: Gathering, offsets: Address, bytes: Address) -> Address {
    values.each(memory, |index, target| {
        let start = memory.word(offsets + index * 4);
        memory.set_word(target, bytes + start);
        memory.set_word(target + 4, memory.word(offsets + index * 4 + 4) - start);
        target + 8
    })
}

pub fn gather_booleans(memory: Memory, values: Gathering, bitmap: Address) -> Address {
    values.each(memory, |index, target| memory.put(target, u8::from(is_present(memory, bitmap, index))))
}

/// Gathers numbers that lie `stride` apart; of wider ones the lower half or quarter.
#[inline(always)]
pub fn gather_numbers<N: Number>(memory: Memory, values: Gathering, numbers: Address, stride: usize) -> Address {
    let Gathering { validity, from, to, target } = values;
    if validity == 0 && stride == N::BYTES {
        memory.copy(target, numbers + from * stride, (to - from) * stride);
        return target + (to - from) * stride;
    }
    values.each(memory, |index, target| {
        N::read(memory, numbers + index * stride).write(memory, target);
        target + N::BYTES
    })
}

/// Gathers decimals of 128 bits as `width` bytes, the most significant first.
pub fn gather_decimals(memory: Memory, values: Gathering, decimals: Address, width: usize) -> Address {
    values.each(memory, |index, target| {
        let decimal = decimals + index * 16;
        for byte in 0..width {
            memory.set_u8(target + byte, memory.u8(decimal + width - 1 - byte));
        }
        target + width
    })
}
