//! The encoders of rows. Each returns how many bytes it has written between `to` and `limit`, or why nothing.

use kernel::encode::batch::encode_batch;
use kernel::encode::cells::{Encoded, Refusal, Rows};
use kernel::encode::copy::encode_copy;
use kernel::encode::csv::{CsvDialect, encode_csv};
use kernel::encode::ndjson::encode_ndjson;
use kernel::memory::{Address, Memory};
use kernel::profile::profile_cells;

/// `flags` has bits: quote all 1, escape formulas 2, CR and LF 4, decimal comma 8.
pub fn encodeCsv(
    memory: Memory,
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
    answer(encode_csv(memory, rows, to, limit, dialect))
}

macro_rules! encoders {
    ($($name:ident $encode:ident),*) => {$(
        pub fn $name(
            memory: Memory,
            address: Address,
            count: usize,
            row_bytes: usize,
            columns: Address,
            column_count: usize,
            to: Address,
            limit: Address,
        ) -> i32 {
            answer($encode(memory, Rows { address, count, row_bytes, columns, column_count }, to, limit))
        }
    )*};
}

encoders!(encodeNdjson encode_ndjson, encodeCopy encode_copy, encodeBatch encode_batch);

/// Counts the cells of rows into the states of their columns.
pub fn profileCells(
    memory: Memory,
    address: Address,
    count: usize,
    row_bytes: usize,
    columns: Address,
    column_count: usize,
    states: Address,
) {
    profile_cells(memory, Rows { address, count, row_bytes, columns, column_count }, states);
}

fn answer(encoded: Encoded) -> i32 {
    match encoded {
        Ok(bytes) => bytes as i32,
        Err(Refusal::NoRoom) => -1,
        Err(Refusal::NotSure) => -2,
    }
}
