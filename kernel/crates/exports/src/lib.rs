//! The functions of the kernel that JavaScript calls, by its names. All arguments and results are words: addresses, counts and flags.
#![no_std]
#![allow(non_snake_case, clippy::too_many_arguments)]

mod block;
mod encode;
mod parquet;
mod walk;

pub use block::*;
pub use encode::*;
pub use kernel::memory::Memory;
pub use parquet::*;
pub use walk::*;

/// Gives a macro all of these functions, to make one for each target.
#[macro_export]
macro_rules! for_each_export {
    ($target:ident) => {
        $target! {
            digest(bytes, length, to);
            countLineBreaks(bytes, length) -> i32;
            scan(bytes, length, index, escapes) -> i32;
            beginBlock(scope, ids, ids_end);
            beginWalk(scope, bytes, index, escapes);
            walkLines(scope, end) -> i32;
            walkLine(scope) -> i32;
            rollBack(scope);
            expectNext(scope);
            expectNone(scope);
            encodeCsv(address, count, row_bytes, columns, column_count, to, limit, delimiter, quote, list_separator, flags) -> i32;
            encodeNdjson(address, count, row_bytes, columns, column_count, to, limit) -> i32;
            encodeCopy(address, count, row_bytes, columns, column_count, to, limit) -> i32;
            encodeBatch(address, count, row_bytes, columns, column_count, to, limit) -> i32;
            profileCells(address, count, row_bytes, columns, column_count, states);
            writeScalarLevels(validity, from, to, levels);
            writeListLevels(validity, offsets, element_validity, from, to, levels, repetitions) -> i32;
            countLevel(start, end, level) -> i32;
            skipRows(repetitions, slot, rows, end) -> i32;
            gatherTexts(validity, offsets, bytes, from, to, target) -> i32;
            gatherBooleans(validity, bitmap, from, to, target) -> i32;
            gather4(validity, numbers, from, to, target) -> i32;
            gather8(validity, numbers, from, to, target) -> i32;
            gather16As4(validity, numbers, from, to, target) -> i32;
            gather16As8(validity, numbers, from, to, target) -> i32;
            gather16AsBytes(validity, decimals, from, to, target, width) -> i32;
            indexTexts(texts, end, table, entries, distinct, indexes, dictionary) -> i32;
            index4(values, end, table, entries, indexes, dictionary) -> i32;
            index8(values, end, table, entries, indexes, dictionary) -> i32;
            boundTexts(texts, end, to);
            boundBooleans(values, end, to);
            boundInt32(values, end, to);
            boundInt64(values, end, to);
            boundFloat64(values, end, to);
            boundBytes(values, end, to, width);
            packBytes(from, count, bits, to) -> i32;
            packWords(from, count, bits, to) -> i32;
            writePlainTexts(texts, end, to) -> i32;
            writePlainBooleans(booleans, end, to) -> i32;
            measurePlainTexts(texts, end) -> i32;
        }
    };
}
