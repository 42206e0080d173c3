//! Cells of rows as the bytes of output files.

pub mod cells;
