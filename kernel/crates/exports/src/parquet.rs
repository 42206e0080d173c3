//! The steps of Parquet's encodings, by the names of src/formats/parquet/page-memory.ts.

use kernel::memory::{Address, Memory};
use kernel::parquet::dictionary::{Dictionary, index_numbers, index_texts};
use kernel::parquet::levels::{self, Lists};
use kernel::parquet::values::{self, Gathering};
use kernel::parquet::{bounds, hybrid, plain};

pub fn writeScalarLevels(memory: Memory, validity: Address, from: usize, to: usize, levels: Address) {
    levels::write_scalar_levels(memory, validity, from, to, levels);
}

pub fn writeListLevels(
    memory: Memory,
    validity: Address,
    offsets: Address,
    element_validity: Address,
    from: usize,
    to: usize,
    levels: Address,
    repetitions: Address,
) -> usize {
    let lists = Lists { validity, offsets, element_validity, from, to };
    levels::write_list_levels(memory, lists, levels, repetitions)
}

pub fn countLevel(memory: Memory, start: Address, end: Address, level: u32) -> usize {
    levels::count_level(memory, start, end, level as u8)
}

pub fn skipRows(memory: Memory, repetitions: Address, slot: usize, rows: usize, end: usize) -> usize {
    levels::skip_rows(memory, repetitions, slot, rows, end)
}

pub fn gatherTexts(
    memory: Memory,
    validity: Address,
    offsets: Address,
    bytes: Address,
    from: usize,
    to: usize,
    target: Address,
) -> Address {
    values::gather_texts(memory, Gathering { validity, from, to, target }, offsets, bytes)
}

pub fn gatherBooleans(
    memory: Memory,
    validity: Address,
    bitmap: Address,
    from: usize,
    to: usize,
    target: Address,
) -> Address {
    values::gather_booleans(memory, Gathering { validity, from, to, target }, bitmap)
}

pub fn gather4(
    memory: Memory,
    validity: Address,
    numbers: Address,
    from: usize,
    to: usize,
    target: Address,
) -> Address {
    values::gather_numbers::<u32>(memory, Gathering { validity, from, to, target }, numbers, 4)
}

pub fn gather8(
    memory: Memory,
    validity: Address,
    numbers: Address,
    from: usize,
    to: usize,
    target: Address,
) -> Address {
    values::gather_numbers::<u64>(memory, Gathering { validity, from, to, target }, numbers, 8)
}

/// Decimals of 128 bits that fit in 32.
pub fn gather16As4(
    memory: Memory,
    validity: Address,
    numbers: Address,
    from: usize,
    to: usize,
    target: Address,
) -> Address {
    values::gather_numbers::<u32>(memory, Gathering { validity, from, to, target }, numbers, 16)
}

/// Decimals of 128 bits that fit in 64.
pub fn gather16As8(
    memory: Memory,
    validity: Address,
    numbers: Address,
    from: usize,
    to: usize,
    target: Address,
) -> Address {
    values::gather_numbers::<u64>(memory, Gathering { validity, from, to, target }, numbers, 16)
}

pub fn gather16AsBytes(
    memory: Memory,
    validity: Address,
    decimals: Address,
    from: usize,
    to: usize,
    target: Address,
    width: usize,
) -> Address {
    values::gather_decimals(memory, Gathering { validity, from, to, target }, decimals, width)
}

pub fn indexTexts(
    memory: Memory,
    texts: Address,
    end: Address,
    table: Address,
    entries: usize,
    distinct: Address,
    indexes: Address,
    dictionary: Address,
) -> usize {
    index_texts(memory, Dictionary { table, entries, indexes, dictionary }, texts, end, distinct)
}

pub fn index4(
    memory: Memory,
    values: Address,
    end: Address,
    table: Address,
    entries: usize,
    indexes: Address,
    dictionary: Address,
) -> usize {
    index_numbers::<u32>(memory, Dictionary { table, entries, indexes, dictionary }, values, end)
}

pub fn index8(
    memory: Memory,
    values: Address,
    end: Address,
    table: Address,
    entries: usize,
    indexes: Address,
    dictionary: Address,
) -> usize {
    index_numbers::<u64>(memory, Dictionary { table, entries, indexes, dictionary }, values, end)
}

pub fn boundTexts(memory: Memory, texts: Address, end: Address, to: Address) {
    bounds::bound_texts(memory, texts, end, to);
}

pub fn boundBooleans(memory: Memory, values: Address, end: Address, to: Address) {
    bounds::bound_numbers::<u8>(memory, values, end, to);
}

pub fn boundInt32(memory: Memory, values: Address, end: Address, to: Address) {
    bounds::bound_numbers::<i32>(memory, values, end, to);
}

pub fn boundInt64(memory: Memory, values: Address, end: Address, to: Address) {
    bounds::bound_numbers::<i64>(memory, values, end, to);
}

pub fn boundFloat64(memory: Memory, values: Address, end: Address, to: Address) {
    bounds::bound_floats(memory, values, end, to);
}

pub fn boundBytes(memory: Memory, values: Address, end: Address, to: Address, width: usize) {
    bounds::bound_decimals(memory, values, end, to, width);
}

pub fn packBytes(memory: Memory, from: Address, count: usize, bits: usize, to: Address) -> Address {
    hybrid::pack::<u8>(memory, from, count, bits, to)
}

pub fn packWords(memory: Memory, from: Address, count: usize, bits: usize, to: Address) -> Address {
    hybrid::pack::<u32>(memory, from, count, bits, to)
}

pub fn writePlainTexts(memory: Memory, texts: Address, end: Address, to: Address) -> Address {
    plain::write_plain_texts(memory, texts, end, to)
}

pub fn writePlainBooleans(memory: Memory, booleans: Address, end: Address, to: Address) -> Address {
    plain::write_plain_booleans(memory, booleans, end, to)
}

pub fn measurePlainTexts(memory: Memory, texts: Address, end: Address) -> usize {
    plain::measure_plain_texts(memory, texts, end)
}
