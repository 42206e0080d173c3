//! The nesting of the slots of a column, a byte a slot, as Parquet counts definition and repetition levels.

use crate::memory::{Address, Memory};

/// The bit of a value; a validity of 0 says that nothing is null.
#[inline(always)]
pub fn is_present(memory: Memory, validity: Address, index: usize) -> bool {
    validity == 0 || (memory.u8(validity + (index >> 3)) >> (index & 7)) & 1 != 0
}

/// Writes the levels of rows of scalars: 1, or 0 for null. Up to seven bytes behind them are overwritten.
pub fn write_scalar_levels(memory: Memory, validity: Address, from: usize, to: usize, mut levels: Address) {
    if validity == 0 {
        return memory.fill(levels, 1, to - from);
    }
    let mut row = from;
    while row < to && row & 7 != 0 {
        levels = memory.put(levels, u8::from(is_present(memory, validity, row)));
        row += 1;
    }
    while row < to {
        memory.set_u64(levels, to_bytes(memory.u8(validity + (row >> 3))));
        row += 8;
        levels += 8;
    }
}

/// Eight bits as a byte each.
#[inline(always)]
fn to_bytes(bits: u8) -> u64 {
    let in_place = u64::from(bits).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (in_place.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101
}

/// The lists of rows `from` to `to`: a bit a row, where each begins, and a bit an element.
#[derive(Clone, Copy)]
pub struct Lists {
    pub validity: Address,
    pub offsets: Address,
    pub element_validity: Address,
    pub from: usize,
    pub to: usize,
}

/// Writes the levels of rows of lists: 0 for null, 1 for an empty one, and for each element 2 if it is null, 3 if not; the first
/// slot of a row has repetition 0, the others 1. Returns how many slots there are.
pub fn write_list_levels(memory: Memory, lists: Lists, levels: Address, repetitions: Address) -> usize {
    let mut slot = 0;
    let mut first = memory.word(lists.offsets + lists.from * 4);
    for row in lists.from..lists.to {
        let end = memory.word(lists.offsets + row * 4 + 4);
        if first == end {
            memory.set_u8(levels + slot, u8::from(is_present(memory, lists.validity, row)));
            memory.set_u8(repetitions + slot, 0);
            slot += 1;
        }
        for element in first..end {
            memory.set_u8(levels + slot, 2 + u8::from(is_present(memory, lists.element_validity, element)));
            memory.set_u8(repetitions + slot, u8::from(element > first));
            slot += 1;
        }
        first = end;
    }
    slot
}

/// The number of bytes between two addresses that are `level`.
pub fn count_level(memory: Memory, start: Address, end: Address, level: u8) -> usize {
    memory.slice(start, end - start).iter().filter(|each| **each == level).count()
}

/// The slot at which the row begins that is `rows` rows behind `slot`, or `end`.
pub fn skip_rows(memory: Memory, repetitions: Address, slot: usize, rows: usize, end: usize) -> usize {
    let slots = memory.slice(repetitions + slot, end.saturating_sub(slot));
    let begins = slots.iter().enumerate().filter(|(_, repetition)| **repetition == 0);
    begins.map(|(index, _)| slot + index).nth(rows).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_the_bits_of_a_validity_over_bytes() {
        let mut bytes = [0u8; 256];
        bytes[10..12].copy_from_slice(&[0b1010_0110, 0b0000_0011]);
        let memory = unsafe { Memory::over(bytes.as_mut_ptr(), bytes.len()) };
        write_scalar_levels(memory, 10, 3, 12, 100);
        assert_eq!(&bytes[100..109], &[0, 0, 1, 0, 1, 1, 1, 0, 0]);
    }
}
