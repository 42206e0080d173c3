//! The encoders of rows. Each returns how many bytes it has written between `to` and `limit`, or why nothing.
#![allow(non_snake_case)]

use crate::MEMORY;
use kernel::encode::batch::encode_batch;
use kernel::encode::cells::{Encoded, Refusal, Rows};
use kernel::encode::copy::encode_copy;
use kernel::encode::csv::{CsvDialect, encode_csv};
use kernel::encode::ndjson::encode_ndjson;
use kernel::memory::Address;
use kernel::profile::profile_cells;

/// `flags` has bits: quote all 1, escape formulas 2, CR and LF 4, decimal comma 8.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
extern "C" fn encodeCsv(
    address: Address,
    count: usize,
    row_bytes: usize,
    columns: Address,
    column_count: usize,
    to: Address,
    limit: Address,
    delimiter: u32,
    quote: u32,
    list_separator: u32,
    flags: u32,
) -> i32 {
    let dialect = CsvDialect {
        delimiter: delimiter as u8,
        quote: quote as u8,
        list_separator: list_separator as u8,
        quote_all: flags & 1 != 0,
        escape_formulas: flags & 2 != 0,
        crlf: flags & 4 != 0,
        decimal_comma: flags & 8 != 0,
    };
    let rows = Rows { address, count, row_bytes, columns, column_count };
    answer(encode_csv(MEMORY, rows, to, limit, dialect))
}

#[unsafe(no_mangle)]
extern "C" fn encodeNdjson(
    address: Address,
    count: usize,
    row_bytes: usize,
    columns: Address,
    column_count: usize,
    to: Address,
    limit: Address,
) -> i32 {
    answer(encode_ndjson(MEMORY, Rows { address, count, row_bytes, columns, column_count }, to, limit))
}

#[unsafe(no_mangle)]
extern "C" fn encodeCopy(
    address: Address,
    count: usize,
    row_bytes: usize,
    columns: Address,
    column_count: usize,
    to: Address,
    limit: Address,
) -> i32 {
    answer(encode_copy(MEMORY, Rows { address, count, row_bytes, columns, column_count }, to, limit))
}

#[unsafe(no_mangle)]
extern "C" fn encodeBatch(
    address: Address,
    count: usize,
    row_bytes: usize,
    columns: Address,
    column_count: usize,
    to: Address,
    limit: Address,
) -> i32 {
    answer(encode_batch(MEMORY, Rows { address, count, row_bytes, columns, column_count }, to, limit))
}

/// Counts the cells of rows into the states of their columns.
#[unsafe(no_mangle)]
extern "C" fn profileCells(
    address: Address,
    count: usize,
    row_bytes: usize,
    columns: Address,
    column_count: usize,
    states: Address,
) {
    profile_cells(MEMORY, Rows { address, count, row_bytes, columns, column_count }, states);
}

fn answer(encoded: Encoded) -> i32 {
    match encoded {
        Ok(bytes) => bytes as i32,
        Err(Refusal::NoRoom) => -1,
        Err(Refusal::NotSure) => -2,
    }
}
