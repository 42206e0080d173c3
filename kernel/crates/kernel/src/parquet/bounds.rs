//! The least and the greatest of some values, of which there is at least one. Numbers are put at `to`, one behind the other.

use super::split;
use crate::memory::{Address, Bytes, Memory, Number};
use core::cmp::Ordering;

#[inline(always)]
pub fn bound_numbers<N: Number>(memory: Memory, values: Address, end: Address, to: Address) {
    let mut least = N::read(memory, values);
    let mut greatest = least;
    for at in (values + N::BYTES..end).step_by(N::BYTES) {
        let value = N::read(memory, at);
        if value < least {
            least = value;
        }
        if value > greatest {
            greatest = value;
        }
    }
    least.write(memory, to);
    greatest.write(memory, to + N::BYTES);
}

/// Zero has two signs that are equal: the least gets the negative one, the greatest the positive one, as the format requires.
/// False if there is a NaN: DuckDB orders it above all numbers, and would skip row groups by bounds without it.
pub fn bound_floats(memory: Memory, values: Address, end: Address, to: Address) -> bool {
    let mut least = f64::INFINITY;
    let mut greatest = f64::NEG_INFINITY;
    for at in (values..end).step_by(8) {
        let value = memory.f64(at);
        if value.is_nan() {
            return false;
        }
        least = if value < least { value } else { least };
        greatest = if value > greatest { value } else { greatest };
    }
    memory.set_f64(to, if least == 0.0 { -0.0 } else { least });
    memory.set_f64(to + 8, if greatest == 0.0 { 0.0 } else { greatest });
    true
}

/// Texts in the order of their bytes.
pub fn bound_texts(memory: Memory, texts: Address, end: Address) -> (Bytes, Bytes) {
    let mut least = memory.u64(texts);
    let mut greatest = least;
    let mut least_head = head_of(memory, least);
    let mut greatest_head = least_head;
    for at in (texts + 8..end).step_by(8) {
        let text = memory.u64(at);
        let head = head_of(memory, text);
        if head < least_head || (head == least_head && compare_texts(memory, text, least) == Ordering::Less) {
            least = text;
            least_head = head;
        }
        if head > greatest_head || (head == greatest_head && compare_texts(memory, text, greatest) == Ordering::Greater)
        {
            greatest = text;
            greatest_head = head;
        }
    }
    (bytes_of(least), bytes_of(greatest))
}

fn bytes_of(text: u64) -> Bytes {
    let (address, length) = split(text);
    Bytes { address, length }
}

/// Whole numbers of `width` bytes, the most significant first and signed.
pub fn bound_decimals(memory: Memory, values: Address, end: Address, to: Address, width: usize) {
    let (mut least, mut greatest) = (values, values);
    for value in (values + width..end).step_by(width) {
        if signed(memory, value, width) < signed(memory, least, width) {
            least = value;
        }
        if signed(memory, value, width) > signed(memory, greatest, width) {
            greatest = value;
        }
    }
    memory.copy(to, least, width);
    memory.copy(to + width, greatest, width);
}

/// What such numbers are compared by: the sign, then the bytes.
#[inline(always)]
fn signed<'a>(memory: Memory, value: Address, width: usize) -> (i8, &'a [u8]) {
    (memory.i8(value), memory.slice(value, width))
}

/// Compares texts whose heads are equal.
fn compare_texts(memory: Memory, one: u64, other: u64) -> Ordering {
    let ((one, one_length), (other, other_length)) = (split(one), split(other));
    let common = one_length.min(other_length);
    for at in (8..common).step_by(8) {
        // The bytes read behind the end are shifted out.
        let shift = 64 - (common - at).min(8) * 8;
        let word = memory.u64(one + at).swap_bytes() >> shift;
        let other_word = memory.u64(other + at).swap_bytes() >> shift;
        if word != other_word {
            return word.cmp(&other_word);
        }
    }
    one_length.cmp(&other_length)
}

#[inline(always)]
fn head_of(memory: Memory, text: u64) -> u64 {
    let (address, length) = split(text);
    memory.head(address, length)
}
