//! The functions of the kernel that JavaScript calls, by its names. All arguments and results are words: addresses, counts and flags.
#![no_std]
#![allow(non_snake_case, clippy::too_many_arguments)]

mod block;
mod parquet;
mod walk;

pub use block::*;
pub use kernel::layout::ZSTD_LEVEL;
pub use kernel::memory::{Bytes, Memory};
pub use parquet::*;
pub use walk::*;

/// Gives a macro all of these functions but `encodeRowGroup` and `inflate`, to make one for each target.
#[macro_export]
macro_rules! for_each_export {
    ($target:ident) => {
        $target! {
            digest(bytes, length, to);
            countLineBreaks(bytes, length) -> i32;
            runBlock(block) -> i32;
            rollBack(scope);
            encodePiece(piece, to, limit) -> i32;
        }
    };
}
