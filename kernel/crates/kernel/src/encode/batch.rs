//! Rows as a record batch; src/formats/parquet/record-batch.ts describes it.

use super::cells::{
    BOOLEAN, CELL_BYTES, Cell, Cells, Column, DATE, DECIMAL, Encoded, FLOAT, MILLISECONDS, Refusal, Rows, SECONDS,
};
use super::times::{is_date_time, is_day};
use crate::memory::{Address, Memory, Number, SLACK, fits};
use crate::numbers::{parse_digits, parse_float, parse_integer};
use crate::simd::Bytes16;

/// Every buffer of a batch begins at a multiple of this from its beginning.
const ALIGNMENT: usize = 16;
/// The words of rows and bytes, then two of every buffer.
const TABLE_START: usize = 8;

/// Writes rows as a record batch between `to` and `limit`.
pub fn encode_batch(memory: Memory, rows: Rows, to: Address, limit: Address) -> Encoded {
    let buffers =
        rows.columns(memory).map(|column| if column.is_text() { 3 } else { 2 } + if column.is_list { 2 } else { 0 });
    let head = align_up(TABLE_START + buffers.sum::<usize>() * 8);
    if !fits(to, (head + SLACK) as u64, limit) {
        return Err(Refusal::NoRoom);
    }
    memory.set_word(to, rows.count);
    memory.set_u64(to + head - 8, 0);
    let mut batch = Batch { memory, start: to, entry: to + TABLE_START, at: to + head, limit, has_unknown: false };
    for column in rows.columns(memory) {
        let cells = rows.cells(column);
        if column.is_list {
            batch.write_lists(cells, column)?;
        } else {
            batch.write_values(cells, column)?;
        }
    }
    memory.set_word(to + 4, batch.at - to);
    if batch.has_unknown { Err(Refusal::NotSure) } else { Ok(batch.at - to) }
}

struct Batch {
    memory: Memory,
    start: Address,
    /// The entry of the next buffer.
    entry: Address,
    /// The beginning of the next buffer.
    at: Address,
    limit: Address,
    /// Set at a value that only the reference path can write.
    has_unknown: bool,
}

type Written = Result<(), Refusal>;

impl Batch {
    #[inline(always)]
    fn expect_room(&self, bytes: u64) -> Written {
        if fits(self.at, bytes, self.limit) { Ok(()) } else { Err(Refusal::NoRoom) }
    }

    /// Describes the `bytes` that were written as the next buffer.
    fn close_buffer(&mut self, bytes: usize) {
        self.memory.set_word(self.entry, self.at - self.start);
        self.memory.set_word(self.entry + 4, bytes);
        self.entry += 8;
        self.memory.set_bytes16(self.at + bytes, Bytes16::of_words(0, 0));
        self.at += align_up(bytes);
    }

    /// The offsets of the lists, then all their elements, which are gathered at the end of the room.
    fn write_lists(&mut self, lists: Cells, column: Column) -> Written {
        let memory = self.memory;
        self.expect_room(lists.count as u64 * 5 + 4 * SLACK as u64)?;
        self.write_validity(lists);
        let mut elements = 0;
        memory.set_u32(self.at, 0);
        for (index, list) in lists.each(memory).enumerate() {
            elements += list.map_or(0, |list| list.length);
            memory.set_word(self.at + (index + 1) * 4, elements);
        }
        self.close_buffer((lists.count + 1) * 4);
        let bytes = elements * CELL_BYTES;
        self.expect_room(bytes as u64)?;
        let first = self.limit - bytes;
        let mut to = first;
        for list in lists.each(memory).flatten() {
            memory.copy(to, list.address, list.length * CELL_BYTES);
            to += list.length * CELL_BYTES;
        }
        let limit = self.limit;
        self.limit = first;
        let written = self.write_values(Cells { first, count: elements, stride: CELL_BYTES }, column);
        self.limit = limit;
        written
    }

    /// The validity and the values of cells.
    fn write_values(&mut self, cells: Cells, column: Column) -> Written {
        let text_bytes = match column.is_text() {
            true => cells.each(self.memory).map(|cell| cell.map_or(0, |cell| cell.length as u64)).sum(),
            false => 0,
        };
        self.expect_room(text_bytes + cells.count as u64 * 20 + 8 * SLACK as u64)?;
        self.write_validity(cells);
        if column.is_text() {
            self.write_texts(cells);
        } else if column.kind == BOOLEAN {
            self.write_booleans(cells);
        } else {
            self.write_numbers(cells, column);
        }
        Ok(())
    }

    /// The validity of a column, which is empty without nulls.
    fn write_validity(&mut self, cells: Cells) {
        let present = self.write_bits(cells.each(self.memory).map(|cell| cell.is_some()));
        self.close_buffer(if present == cells.count { 0 } else { cells.count.div_ceil(8) });
    }

    /// Without nulls among the set bits: a missing value is false, as every missing value is zero.
    fn write_booleans(&mut self, cells: Cells) {
        let memory = self.memory;
        self.write_bits(cells.each(memory).map(|cell| cell.is_some_and(|cell| memory.u8(cell.address) == b't')));
        self.close_buffer(cells.count.div_ceil(8));
    }

    /// Writes bits, and returns how many are set.
    #[inline(always)]
    fn write_bits(&self, values: impl Iterator<Item = bool>) -> usize {
        let (mut to, mut set, mut bits, mut count) = (self.at, 0, 0, 0);
        for value in values {
            set += usize::from(value);
            bits |= u8::from(value) << count;
            count += 1;
            if count == 8 {
                to = self.memory.put(to, bits);
                (bits, count) = (0, 0);
            }
        }
        self.memory.set_u8(to, bits);
        set
    }

    fn write_texts(&mut self, cells: Cells) {
        let memory = self.memory;
        let mut offset = self.at;
        self.close_buffer((cells.count + 1) * 4);
        let start = self.at;
        let mut to = start;
        memory.set_u32(offset, 0);
        for cell in cells.each(memory) {
            if let Some(cell) = cell {
                to = memory.copy_loosely(to, cell.address, cell.length);
            }
            offset += 4;
            memory.set_word(offset, to - start);
        }
        self.close_buffer(to - start);
    }

    fn write_numbers(&mut self, cells: Cells, column: Column) {
        let memory = self.memory;
        match column.kind {
            FLOAT => self.write_each(cells, |cell| Some(parse_float(memory, cell.address, cell.length).to_bits())),
            MILLISECONDS => self.write_each(cells, |cell| moment(parse_integer(memory, cell.address, cell.length))),
            SECONDS => self
                .write_each(cells, |cell| moment(parse_integer(memory, cell.address, cell.length).wrapping_mul(1000))),
            DATE => self.write_each(cells, |cell| {
                let days = parse_integer(memory, cell.address, cell.length);
                is_day(days).then_some(days as u32)
            }),
            DECIMAL => self.write_each(cells, |cell| memory.parse_decimal(cell, column.precision)),
            _ => self.write_each(cells, |cell| memory.parse_exact(cell)),
        }
    }

    /// Writes numbers one behind the other, nulls as 0; `parse` gives none for a value that only the reference path can write.
    #[inline(always)]
    fn write_each<N: Number + Default>(&mut self, cells: Cells, parse: impl Fn(Cell) -> Option<N>) {
        let memory = self.memory;
        let mut to = self.at;
        for cell in cells.each(memory) {
            let number = match cell {
                None => N::default(),
                Some(cell) => parse(cell).unwrap_or_else(|| {
                    self.has_unknown = true;
                    N::default()
                }),
            };
            number.write(memory, to);
            to += N::BYTES;
        }
        self.close_buffer(to - self.at);
    }
}

fn moment(milliseconds: i64) -> Option<u64> {
    is_date_time(milliseconds).then_some(milliseconds as u64)
}

impl Memory {
    /// A whole number that fits into 64 bits with a sign.
    #[inline(always)]
    fn parse_exact(self, cell: Cell) -> Option<u64> {
        let is_negative = self.u8(cell.address) == b'-';
        let digits = cell.length - usize::from(is_negative);
        if digits > 19 {
            return None;
        }
        let end = cell.address + cell.length;
        let magnitude = parse_digits(self, end - digits, end);
        if magnitude > i64::MAX as u64 + u64::from(is_negative) {
            return None;
        }
        Some(if is_negative { magnitude.wrapping_neg() } else { magnitude })
    }

    /// A whole number of at most `precision` digits, and at most 38.
    #[inline(always)]
    fn parse_decimal(self, cell: Cell, precision: usize) -> Option<i128> {
        /// The most digits that always fit into 64 bits.
        const HALF: usize = 19;
        let is_negative = self.u8(cell.address) == b'-';
        let digits = cell.length - usize::from(is_negative);
        if digits > precision {
            return None;
        }
        let end = cell.address + cell.length;
        let split = end - digits.min(HALF);
        let mut magnitude = i128::from(parse_digits(self, split, end));
        if digits > HALF {
            let upper = i128::from(parse_digits(self, end - digits, split));
            magnitude = magnitude.wrapping_add(upper.wrapping_mul(10i128.pow(HALF as u32)));
        }
        Some(if is_negative { magnitude.wrapping_neg() } else { magnitude })
    }
}

#[inline(always)]
fn align_up(bytes: usize) -> usize {
    bytes.next_multiple_of(ALIGNMENT)
}
