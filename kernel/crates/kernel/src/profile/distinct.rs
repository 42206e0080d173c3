//! The distinct values of a column with their counts, as long as they are few and short.

use crate::encode::cells::Cell;
use crate::layout::*;
use crate::memory::{Address, Memory};

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The distinct value, counted once more; 0 if there is none yet.
#[inline(always)]
pub(super) fn find_value(memory: Memory, state: Address, address: Address, length: usize) -> Address {
    let head = head_of(memory, address, length);
    let tail = tail_of(memory, address, length);
    let mut slot = hash_of(head, tail, length);
    loop {
        let number = usize::from(memory.u8(state + STATE_SLOTS + slot));
        if number == 0 {
            return 0;
        }
        let value = value_at(state, number);
        if memory.u64(value + VALUE_HEAD) == head
            && memory.u64(value + VALUE_TAIL) == tail
            && memory.word(value + VALUE_LENGTH) == length
            // Up to 16 bytes are in the first and the last eight.
            && (length <= 16 || are_equal(memory, text_at(state, number), address, length - 8))
        {
            add_one(memory, value);
            return value;
        }
        slot = (slot + 1) & (SLOT_COUNT - 1);
    }
}

#[inline(always)]
pub(super) fn add_one(memory: Memory, value: Address) {
    memory.set_u32(value + VALUE_TIMES, memory.u32(value + VALUE_TIMES).wrapping_add(1));
}

/// Enters a value that has not come before, once; 0, and the column counts none any more, if it is too long or one too many.
pub(super) fn add_new(memory: Memory, state: Address, address: Address, length: usize) -> Address {
    let number = memory.word(state + STATE_DISTINCT) + 1;
    if length > LONGEST_VALUE || number > MOST_DISTINCT {
        memory.set_u32(state + STATE_IS_CLOSED, 1);
        return 0;
    }
    let head = head_of(memory, address, length);
    let tail = tail_of(memory, address, length);
    let mut slot = hash_of(head, tail, length);
    while memory.u8(state + STATE_SLOTS + slot) != 0 {
        slot = (slot + 1) & (SLOT_COUNT - 1);
    }
    memory.set_u8(state + STATE_SLOTS + slot, number as u8);
    memory.set_word(state + STATE_DISTINCT, number);
    let value = value_at(state, number);
    memory.set_u64(value + VALUE_HEAD, head);
    memory.set_u64(value + VALUE_TAIL, tail);
    memory.set_u32(value + VALUE_TIMES, 1);
    memory.set_word(value + VALUE_LENGTH, length);
    // Whole steps of 16 bytes, for which there is room.
    memory.copy_loosely(text_at(state, number), address, length);
    value
}

/// The distinct values, and how often each occurs.
pub(super) fn each_value(memory: Memory, state: Address) -> impl Iterator<Item = (Cell, u32)> {
    (1..=memory.word(state + STATE_DISTINCT)).map(move |number| {
        let value = value_at(state, number);
        let cell = Cell { address: text_at(state, number), length: memory.word(value + VALUE_LENGTH) };
        (cell, memory.u32(value + VALUE_TIMES))
    })
}

#[inline(always)]
fn value_at(state: Address, number: usize) -> Address {
    state + STATE_VALUES + (number - 1) * VALUE_BYTES
}

#[inline(always)]
fn text_at(state: Address, number: usize) -> Address {
    state + STATE_TEXTS + (number - 1) * LONGEST_VALUE
}

#[inline(always)]
fn head_of(memory: Memory, address: Address, length: usize) -> u64 {
    let word = memory.u64(address);
    if length >= 8 { word } else { word & ((1 << (length * 8)) - 1) }
}

#[inline(always)]
fn tail_of(memory: Memory, address: Address, length: usize) -> u64 {
    if length > 8 { memory.u64(address + length - 8) } else { 0 }
}

#[inline(always)]
fn hash_of(head: u64, tail: u64, length: usize) -> usize {
    let mixed = head.wrapping_add(length as u64).wrapping_mul(MULTIPLIER).rotate_left(29) ^ tail;
    (mixed.wrapping_mul(MULTIPLIER) >> 56) as usize
}

/// Compares what is behind the first eight bytes in steps of eight; the last goes up to seven bytes beyond the length.
fn are_equal(memory: Memory, one: Address, other: Address, length: usize) -> bool {
    (8..length).step_by(8).all(|at| memory.u64(one + at) == memory.u64(other + at))
}
