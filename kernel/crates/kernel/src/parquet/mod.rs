//! The steps of Parquet's encodings. They keep nothing between calls; src/formats/parquet/page-memory.ts says where everything is.

pub mod bounds;
pub mod dictionary;
pub mod hybrid;
pub mod levels;
pub mod plain;
pub mod values;

use crate::memory::Address;

/// A text: its address, and its length above.
#[inline(always)]
fn split(text: u64) -> (Address, usize) {
    (text as u32 as usize, (text >> 32) as usize)
}
