//! The steps of Parquet's encodings, by the names of src/formats/parquet/page-memory.ts.
#![allow(non_snake_case)]

use crate::MEMORY;
use kernel::memory::Address;
use kernel::parquet::dictionary::{Dictionary, index_numbers, index_texts};
use kernel::parquet::levels::{self, Lists};
use kernel::parquet::values::{self, Gathering};
use kernel::parquet::{bounds, hybrid, plain};

#[unsafe(no_mangle)]
extern "C" fn writeScalarLevels(validity: Address, from: usize, to: usize, levels: Address) {
    levels::write_scalar_levels(MEMORY, validity, from, to, levels);
}

#[unsafe(no_mangle)]
extern "C" fn writeListLevels(
    validity: Address,
    offsets: Address,
    element_validity: Address,
    from: usize,
    to: usize,
    levels: Address,
    repetitions: Address,
) -> usize {
    let lists = Lists { validity, offsets, element_validity, from, to };
    levels::write_list_levels(MEMORY, lists, levels, repetitions)
}

#[unsafe(no_mangle)]
extern "C" fn countLevel(start: Address, end: Address, level: u32) -> usize {
    levels::count_level(MEMORY, start, end, level as u8)
}

#[unsafe(no_mangle)]
extern "C" fn skipRows(repetitions: Address, slot: usize, rows: usize, end: usize) -> usize {
    levels::skip_rows(MEMORY, repetitions, slot, rows, end)
}

#[unsafe(no_mangle)]
extern "C" fn gatherTexts(
    validity: Address,
    offsets: Address,
    bytes: Address,
    from: usize,
    to: usize,
    target: Address,
) -> Address {
    values::gather_texts(MEMORY, Gathering { validity, from, to, target }, offsets, bytes)
}

#[unsafe(no_mangle)]
extern "C" fn gatherBooleans(validity: Address, bitmap: Address, from: usize, to: usize, target: Address) -> Address {
    values::gather_booleans(MEMORY, Gathering { validity, from, to, target }, bitmap)
}

#[unsafe(no_mangle)]
extern "C" fn gather4(validity: Address, numbers: Address, from: usize, to: usize, target: Address) -> Address {
    values::gather_numbers::<u32>(MEMORY, Gathering { validity, from, to, target }, numbers, 4)
}

#[unsafe(no_mangle)]
extern "C" fn gather8(validity: Address, numbers: Address, from: usize, to: usize, target: Address) -> Address {
    values::gather_numbers::<u64>(MEMORY, Gathering { validity, from, to, target }, numbers, 8)
}

/// Decimals of 128 bits that fit in 32.
#[unsafe(no_mangle)]
extern "C" fn gather16As4(validity: Address, numbers: Address, from: usize, to: usize, target: Address) -> Address {
    values::gather_numbers::<u32>(MEMORY, Gathering { validity, from, to, target }, numbers, 16)
}

/// Decimals of 128 bits that fit in 64.
#[unsafe(no_mangle)]
extern "C" fn gather16As8(validity: Address, numbers: Address, from: usize, to: usize, target: Address) -> Address {
    values::gather_numbers::<u64>(MEMORY, Gathering { validity, from, to, target }, numbers, 16)
}

#[unsafe(no_mangle)]
extern "C" fn gather16AsBytes(
    validity: Address,
    decimals: Address,
    from: usize,
    to: usize,
    target: Address,
    width: usize,
) -> Address {
    values::gather_decimals(MEMORY, Gathering { validity, from, to, target }, decimals, width)
}

#[unsafe(no_mangle)]
extern "C" fn indexTexts(
    texts: Address,
    end: Address,
    table: Address,
    entries: usize,
    distinct: Address,
    indexes: Address,
    dictionary: Address,
) -> usize {
    index_texts(MEMORY, Dictionary { table, entries, indexes, dictionary }, texts, end, distinct)
}

#[unsafe(no_mangle)]
extern "C" fn index4(
    values: Address,
    end: Address,
    table: Address,
    entries: usize,
    indexes: Address,
    dictionary: Address,
) -> usize {
    index_numbers::<u32>(MEMORY, Dictionary { table, entries, indexes, dictionary }, values, end)
}

#[unsafe(no_mangle)]
extern "C" fn index8(
    values: Address,
    end: Address,
    table: Address,
    entries: usize,
    indexes: Address,
    dictionary: Address,
) -> usize {
    index_numbers::<u64>(MEMORY, Dictionary { table, entries, indexes, dictionary }, values, end)
}

#[unsafe(no_mangle)]
extern "C" fn boundTexts(texts: Address, end: Address, to: Address) {
    bounds::bound_texts(MEMORY, texts, end, to);
}

#[unsafe(no_mangle)]
extern "C" fn boundBooleans(values: Address, end: Address, to: Address) {
    bounds::bound_numbers::<u8>(MEMORY, values, end, to);
}

#[unsafe(no_mangle)]
extern "C" fn boundInt32(values: Address, end: Address, to: Address) {
    bounds::bound_numbers::<i32>(MEMORY, values, end, to);
}

#[unsafe(no_mangle)]
extern "C" fn boundInt64(values: Address, end: Address, to: Address) {
    bounds::bound_numbers::<i64>(MEMORY, values, end, to);
}

#[unsafe(no_mangle)]
extern "C" fn boundFloat64(values: Address, end: Address, to: Address) {
    bounds::bound_floats(MEMORY, values, end, to);
}

#[unsafe(no_mangle)]
extern "C" fn boundBytes(values: Address, end: Address, to: Address, width: usize) {
    bounds::bound_decimals(MEMORY, values, end, to, width);
}

#[unsafe(no_mangle)]
extern "C" fn packBytes(from: Address, count: usize, bits: usize, to: Address) -> Address {
    hybrid::pack::<u8>(MEMORY, from, count, bits, to)
}

#[unsafe(no_mangle)]
extern "C" fn packWords(from: Address, count: usize, bits: usize, to: Address) -> Address {
    hybrid::pack::<u32>(MEMORY, from, count, bits, to)
}

#[unsafe(no_mangle)]
extern "C" fn writePlainTexts(texts: Address, end: Address, to: Address) -> Address {
    plain::write_plain_texts(MEMORY, texts, end, to)
}

#[unsafe(no_mangle)]
extern "C" fn writePlainBooleans(booleans: Address, end: Address, to: Address) -> Address {
    plain::write_plain_booleans(MEMORY, booleans, end, to)
}

#[unsafe(no_mangle)]
extern "C" fn measurePlainTexts(texts: Address, end: Address) -> usize {
    plain::measure_plain_texts(MEMORY, texts, end)
}
