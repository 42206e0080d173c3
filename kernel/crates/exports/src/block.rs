//! The index, the digest and the line breaks of a block.

use kernel::memory::{Address, Memory};
use kernel::scan::Scanned;

pub fn digest(memory: Memory, bytes: Address, length: usize, to: Address) {
    kernel::digest::digest(memory, bytes, length, to);
}

pub fn countLineBreaks(memory: Memory, bytes: Address, length: usize) -> usize {
    kernel::digest::count_line_breaks(memory, bytes, length)
}

/// Returns how many bytes the index holds, or the complement of it, which is negative, if not all were UTF-8.
pub fn scan(memory: Memory, bytes: Address, length: usize, index: Address, escapes: Address) -> i32 {
    let Scanned { held, is_utf8 } = kernel::scan::scan(memory, bytes, length, index, escapes);
    if is_utf8 { held as i32 } else { !(held as i32) }
}
