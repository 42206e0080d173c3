//! The least and the greatest value of a column, and its longest text.

use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::numbers::{parse_float, parse_integer};
use core::cmp::Ordering;

/// Whole numbers with more digits have the first or the last of all keys.
const MOST_DIGITS: usize = 18;

/// Compares the whole text with the bounds, if its key does not say that it is between them.
pub(super) fn bound_text(memory: Memory, state: Address, address: Address, length: usize) {
    // No text has more characters than bytes.
    if length > memory.word(state + STATE_LONGEST) {
        measure(memory, state, address, length);
    }
    let length = length.min(LONGEST_BOUND);
    let text = memory.slice(address, length);
    if memory.u32(state + STATE_IS_BOUNDED) == 0 {
        begin_bounds(memory, state, address, length, 0);
    } else if text < memory.slice(state + STATE_MIN, memory.word(state + STATE_MIN_LENGTH)) {
        keep_min(memory, state, address, length);
    } else if text > memory.slice(state + STATE_MAX, memory.word(state + STATE_MAX_LENGTH)) {
        keep_max(memory, state, address, length);
    } else {
        return;
    }
    set_text_keys(memory, state);
}

/// The eight bytes behind the words that the least and the greatest text have in common.
fn set_text_keys(memory: Memory, state: Address) {
    let (least, greatest) = (memory.word(state + STATE_MIN_LENGTH), memory.word(state + STATE_MAX_LENGTH));
    let common = least.min(greatest);
    let mut prefix = 0;
    while prefix + 16 <= common && memory.u64(state + STATE_MIN + prefix) == memory.u64(state + STATE_MAX + prefix) {
        prefix += 8;
    }
    memory.set_word(state + STATE_PREFIX, prefix);
    memory.set_u64(state + STATE_MIN_KEY, memory.head(state + STATE_MIN + prefix, least - prefix));
    memory.set_u64(state + STATE_MAX_KEY, memory.head(state + STATE_MAX + prefix, greatest - prefix));
}

/// Compares a whole number of any length with the bounds; its key is that of `key_of`.
pub(super) fn bound_integer(memory: Memory, state: Address, address: Address, length: usize, key: i64) {
    if memory.u32(state + STATE_IS_BOUNDED) == 0 {
        return begin_bounds(memory, state, address, length, key as u64);
    }
    let number = memory.slice(address, length);
    let compare = |bound: usize, bytes: usize, bound_key: i64| {
        key.cmp(&bound_key)
            .then_with(|| compare_digits(number, memory.slice(state + bound, memory.word(state + bytes))))
    };
    let (least, greatest) = (memory.i64(state + STATE_MIN_KEY), memory.i64(state + STATE_MAX_KEY));
    let is_less = compare(STATE_MIN, STATE_MIN_LENGTH, least) == Ordering::Less;
    let is_greater = compare(STATE_MAX, STATE_MAX_LENGTH, greatest) == Ordering::Greater;
    if is_less {
        memory.set_i64(state + STATE_MIN_KEY, key);
        keep_min(memory, state, address, length);
    }
    if is_greater {
        memory.set_i64(state + STATE_MAX_KEY, key);
        keep_max(memory, state, address, length);
    }
}

/// Compares a float with the bounds; gives it.
pub(super) fn bound_float(memory: Memory, state: Address, address: Address, length: usize) -> f64 {
    let value = parse_float(memory, address, length);
    if memory.u32(state + STATE_IS_BOUNDED) == 0 {
        begin_bounds(memory, state, address, length, value.to_bits());
        return value;
    }
    if value < memory.f64(state + STATE_MIN_KEY) {
        memory.set_f64(state + STATE_MIN_KEY, value);
        keep_min(memory, state, address, length);
    }
    if value > memory.f64(state + STATE_MAX_KEY) {
        memory.set_f64(state + STATE_MAX_KEY, value);
        keep_max(memory, state, address, length);
    }
    value
}

fn begin_bounds(memory: Memory, state: Address, address: Address, length: usize, key: u64) {
    memory.set_u32(state + STATE_IS_BOUNDED, 1);
    memory.set_u64(state + STATE_MIN_KEY, key);
    memory.set_u64(state + STATE_MAX_KEY, key);
    keep_min(memory, state, address, length);
    keep_max(memory, state, address, length);
}

fn keep_min(memory: Memory, state: Address, address: Address, length: usize) {
    memory.copy(state + STATE_MIN, address, length);
    memory.set_word(state + STATE_MIN_LENGTH, length);
}

fn keep_max(memory: Memory, state: Address, address: Address, length: usize) {
    memory.copy(state + STATE_MAX, address, length);
    memory.set_word(state + STATE_MAX_LENGTH, length);
}

/// Counts the bytes that begin a character: all but those of the form 10xxxxxx.
fn measure(memory: Memory, state: Address, address: Address, length: usize) {
    let characters = memory.slice(address, length).iter().filter(|byte| *byte & 0xc0 != 0x80).count();
    if characters > memory.word(state + STATE_LONGEST) {
        memory.set_word(state + STATE_LONGEST, characters);
    }
}

/// The number itself, or the first or the last of all keys.
#[inline(always)]
pub(super) fn key_of(memory: Memory, address: Address, length: usize) -> i64 {
    let is_negative = memory.u8(address) == b'-';
    if length - usize::from(is_negative) <= MOST_DIGITS {
        return parse_integer(memory, address, length);
    }
    if is_negative { i64::MIN } else { i64::MAX }
}

/// Compares numbers of the same sign, without zeros before them.
fn compare_digits(one: &[u8], other: &[u8]) -> Ordering {
    let order = one.len().cmp(&other.len()).then_with(|| one.cmp(other));
    if one.first() == Some(&b'-') { order.reverse() } else { order }
}
