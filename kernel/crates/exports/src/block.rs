//! The digest and the line breaks of a block, and the bytes that it is made of.

use kernel::memory::{Address, Memory};

pub fn digest(memory: Memory, bytes: Address, length: usize, to: Address) {
    kernel::digest::digest(memory, bytes, length, to);
}

pub fn countLineBreaks(memory: Memory, bytes: Address, length: usize) -> usize {
    kernel::digest::count_line_breaks(memory, bytes, length)
}

pub fn inflate(memory: Memory, state: Address) -> usize {
    kernel::inflate::inflate(memory, state)
}
