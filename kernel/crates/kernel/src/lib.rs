//! The hot path without I/O: index, walk, cells, text and pages, over one memory that holds bytes, cells and results.
#![cfg_attr(not(test), no_std)]

pub mod block;
pub mod digest;
pub mod encode;
pub mod inflate;
pub mod layout;
pub mod memory;
pub mod numbers;
pub mod parquet;
pub mod profile;
pub mod scan;
pub mod simd;
mod utf8;
pub mod walk;
