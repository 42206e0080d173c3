//! Digests of blocks, and their line breaks.

use crate::memory::{Address, Memory};
use xxhash_rust::xxh3::xxh3_128;

/// Writes the canonical form of the XXH3 of these bytes, 16 bytes, to an address.
pub fn digest(memory: Memory, bytes: Address, length: usize, to: Address) {
    let digest = xxh3_128(memory.slice(bytes, length));
    memory.set_u64(to, ((digest >> 64) as u64).swap_bytes());
    memory.set_u64(to + 8, (digest as u64).swap_bytes());
}

pub fn count_line_breaks(memory: Memory, bytes: Address, length: usize) -> usize {
    memchr::memchr_iter(b'\n', memory.slice(bytes, length)).count()
}
