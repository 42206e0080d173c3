//! The steps of Parquet's encodings. They keep nothing between calls; src/formats/parquet/page-memory.ts says where everything is.

pub mod bounds;
pub mod dictionary;
pub mod hybrid;
pub mod levels;
pub mod plain;
pub mod values;

use crate::memory::{Address, Memory};

/// A number as it lies in the memory.
pub trait Number: Copy + PartialOrd {
    const BYTES: usize;
    fn read(memory: Memory, at: Address) -> Self;
    fn write(self, memory: Memory, at: Address);
    fn to_u64(self) -> u64;
}

macro_rules! numbers {
    ($($type:ident $write:ident),*) => {$(
        impl Number for $type {
            const BYTES: usize = size_of::<$type>();

            #[inline(always)]
            fn read(memory: Memory, at: Address) -> Self {
                memory.$type(at)
            }

            #[inline(always)]
            fn write(self, memory: Memory, at: Address) {
                memory.$write(at, self);
            }

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }
        }
    )*};
}

numbers!(u8 set_u8, u32 set_u32, i32 set_i32, u64 set_u64, i64 set_i64);

/// A text: its address, and its length above.
#[inline(always)]
fn split(text: u64) -> (Address, usize) {
    (text as u32 as usize, (text >> 32) as usize)
}
