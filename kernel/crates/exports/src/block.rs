//! The index, the digest and the line breaks of a block.
#![allow(non_snake_case)]

use crate::MEMORY;
use kernel::memory::Address;

#[unsafe(no_mangle)]
extern "C" fn digest(bytes: Address, length: usize, to: Address) {
    kernel::digest::digest(MEMORY, bytes, length, to);
}

#[unsafe(no_mangle)]
extern "C" fn countLineBreaks(bytes: Address, length: usize) -> usize {
    kernel::digest::count_line_breaks(MEMORY, bytes, length)
}

#[unsafe(no_mangle)]
extern "C" fn scan(bytes: Address, length: usize, index: Address, escapes: Address) -> usize {
    kernel::scan::scan(MEMORY, bytes, length, index, escapes)
}
