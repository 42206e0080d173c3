//! Parquet's hybrid of run lengths and bit packing: a run of eight or more equal numbers is written once, others packed in `bits`
//! bits each, eight at a time.

use crate::memory::{Address, Memory, Number};

/// Writes numbers of a byte each (levels), or of four (indexes into a dictionary, of at most 15 bits). Returns the end of what it
/// wrote, and may write 16 bytes behind it.
#[inline(always)]
pub fn pack<N: Number>(memory: Memory, mut from: Address, count: usize, bits: usize, mut to: Address) -> Address {
    let end = from + count * N::BYTES;
    while from < end {
        let run = length_of_run::<N>(memory, from, end);
        if run >= 8 {
            to = write_varint(memory, to, run << 1);
            memory.set_u32(to, N::read(memory, from).to_u64() as u32);
            to += bits.div_ceil(8);
            from += run * N::BYTES;
            continue;
        }
        let groups = count_groups::<N>(memory, from, end);
        to = write_varint(memory, to, (groups << 1) | 1);
        for _ in 0..groups {
            write_group::<N>(memory, from, end, bits, to);
            from += 8 * N::BYTES;
            to += bits;
        }
    }
    to
}

#[inline(always)]
fn length_of_run<N: Number>(memory: Memory, from: Address, end: Address) -> usize {
    let value = N::read(memory, from);
    let word = repeat(value);
    let mut at = from + N::BYTES;
    while at + 8 <= end && memory.u64(at) == word {
        at += 8;
    }
    while at < end && N::read(memory, at) == value {
        at += N::BYTES;
    }
    (at - from) / N::BYTES
}

/// The number of eights before a run that is worth it, or before the end: the last may be less than eight.
#[inline(always)]
fn count_groups<N: Number>(memory: Memory, mut from: Address, end: Address) -> usize {
    let mut groups = 0;
    loop {
        groups += 1;
        from += 8 * N::BYTES;
        if from >= end || is_run::<N>(memory, from, end) {
            return groups;
        }
    }
}

#[inline(always)]
fn is_run<N: Number>(memory: Memory, from: Address, end: Address) -> bool {
    let behind = from + 8 * N::BYTES;
    behind <= end && {
        let word = repeat(N::read(memory, from));
        (from..behind).step_by(8).all(|at| memory.u64(at) == word)
    }
}

/// A number in each part of eight bytes.
#[inline(always)]
fn repeat<N: Number>(value: N) -> u64 {
    value.to_u64().wrapping_mul(if N::BYTES == 1 { 0x0101_0101_0101_0101 } else { 0x0000_0001_0000_0001 })
}

/// Eight numbers in as many bytes as one has bits, the first in the lowest bits; what is behind the end is 0.
#[inline(always)]
fn write_group<N: Number>(memory: Memory, from: Address, end: Address, bits: usize, to: Address) {
    let low = join_four::<N>(memory, from, end, bits);
    let high = join_four::<N>(memory, from + 4 * N::BYTES, end, bits);
    let joined = u128::from(low) | (u128::from(high) << (4 * bits));
    memory.set_u64(to, joined as u64);
    memory.set_u64(to + 8, (joined >> 64) as u64);
}

#[inline(always)]
fn join_four<N: Number>(memory: Memory, from: Address, end: Address, bits: usize) -> u64 {
    let mut joined = 0;
    for index in 0..4 {
        let at = from + index * N::BYTES;
        if at < end {
            joined |= N::read(memory, at).to_u64() << (index * bits);
        }
    }
    joined
}

#[inline(always)]
pub fn write_varint(memory: Memory, mut to: Address, mut value: usize) -> Address {
    while value >= 128 {
        to = memory.put(to, value as u8 | 128);
        value >>= 7;
    }
    memory.put(to, value as u8)
}
