//! Cells of rows as the bytes of output files.

pub mod batch;
pub mod cells;
pub mod copy;
pub mod csv;
pub mod ndjson;
mod scalars;
mod times;
