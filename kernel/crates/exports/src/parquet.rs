//! The encoder of row groups.

use kernel::memory::{Address, Bytes, Memory};
use kernel::parquet::{Refusal, RowGroup};

/// Returns how many bytes the pages take, or why there are none. `compress` gets a page and room, and returns how many bytes it wrote;
/// it may be any of several, so it is no word as the arguments of other functions are.
pub fn encodeRowGroup(memory: Memory, group: Address, compress: impl FnMut(Bytes, Bytes) -> usize) -> i32 {
    match RowGroup::read(memory, group).encode(memory, compress) {
        Ok(bytes) => bytes as i32,
        Err(Refusal::NoRoom) => -1,
        Err(Refusal::NoBatch) => -2,
    }
}
