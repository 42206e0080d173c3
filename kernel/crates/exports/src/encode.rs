//! The encoders of rows. Each returns how many bytes it has written between `to` and `limit`, or why nothing.

use kernel::encode::batch::encode_batch;
use kernel::encode::cells::{Rows, to_word};
use kernel::encode::copy::encode_copy;
use kernel::encode::csv::{CsvDialect, encode_csv};
use kernel::encode::ndjson::encode_ndjson;
use kernel::memory::{Address, Memory};

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
    let dialect = CsvDialect::of_words(delimiter, quote, list_separator, flags);
    let rows = Rows { address, count, row_bytes, columns, column_count };
    to_word(encode_csv(memory, rows, to, limit, dialect))
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
            to_word($encode(memory, Rows { address, count, row_bytes, columns, column_count }, to, limit))
        }
    )*};
}

encoders!(encodeNdjson encode_ndjson, encodeCopy encode_copy, encodeBatch encode_batch);
