//! The columns of a row group, and their buffers in its record batches; src/formats/parquet/record-batch.ts describes them.

use super::gather::Source;
use super::kind::Kind;
use super::levels::Lists;
use super::{Refusal, RowGroup};
use crate::memory::{Address, Bytes, Memory, fits};

/// Every buffer of a batch begins at a multiple of this from its beginning.
const ALIGNMENT: u64 = 16;
/// The words of rows and bytes, then two of every buffer.
const TABLE_START: usize = 8;

#[derive(Clone, Copy)]
pub struct Column {
    pub kind: Kind,
    pub is_list: bool,
    /// The number of its first buffer in each batch.
    first_buffer: usize,
}

impl Column {
    fn buffers(self) -> usize {
        self.kind.buffers() + if self.is_list { 2 } else { 0 }
    }
}

/// Rows `from` to `to` of a batch.
#[derive(Clone, Copy)]
struct Batch {
    address: Address,
    bytes: usize,
    from: usize,
    to: usize,
}

impl RowGroup {
    pub fn columns(self, memory: Memory) -> impl Iterator<Item = Result<Column, Refusal>> {
        let mut next = 0;
        (0..self.column_count).map(move |index| {
            let at = self.columns + index * 12;
            let kind = Kind::of(memory.word(at), memory.word(at + 8))?;
            let column = Column { kind, is_list: memory.word(at + 4) != 0, first_buffer: next };
            next += column.buffers();
            Ok(column)
        })
    }

    fn batches(self, memory: Memory) -> impl Iterator<Item = Batch> {
        let mut next = self.bytes;
        (0..self.batch_count).map(move |index| {
            let at = self.batches + index * 12;
            let (bytes, from, to) = (memory.word(at), memory.word(at + 4), memory.word(at + 8));
            let batch = Batch { address: next, bytes, from, to };
            next = next.saturating_add(batch.bytes);
            batch
        })
    }

    /// What the batches have of a column, one after the other.
    pub fn slices(self, memory: Memory, column: Column) -> impl Iterator<Item = Slice> {
        self.batches(memory).map(move |batch| Slice { memory, column, batch })
    }

    /// Fails unless every batch has the buffers of the columns. Offsets but the last are checked where they are read.
    pub fn check_batches(self, memory: Memory) -> Result<(), Refusal> {
        for batch in self.batches(memory) {
            self.check(memory, batch)?;
        }
        Ok(())
    }

    fn check(self, memory: Memory, Batch { address, bytes, from, to }: Batch) -> Result<(), Refusal> {
        if bytes < TABLE_START || !fits(address, bytes as u64, self.facts) || memory.word(address + 4) != bytes {
            return Err(Refusal::NoBatch);
        }
        let rows = memory.word(address);
        let buffers = self.columns(memory).try_fold(0, |sum, column| Ok(sum + column?.buffers()))?;
        let start = align_up((TABLE_START + buffers * 8) as u64);
        let end = bytes as u64;
        let mut table = Table { memory, batch: address, entry: address + TABLE_START, start, end };
        if from > to || to > rows || start > end {
            return Err(Refusal::NoBatch);
        }
        for column in self.columns(memory) {
            table.check_column(column?, rows as u64)?;
        }
        if table.start == end { Ok(()) } else { Err(Refusal::NoBatch) }
    }
}

/// The buffers of a batch that were not looked at yet.
struct Table {
    memory: Memory,
    batch: Address,
    /// The entry of the next buffer.
    entry: Address,
    /// Where it has to begin in the batch, and where the batch ends.
    start: u64,
    end: u64,
}

impl Table {
    fn check_column(&mut self, Column { kind, is_list, .. }: Column, rows: u64) -> Result<(), Refusal> {
        let mut count = rows;
        if is_list {
            self.take_validity(rows)?;
            count = self.take_offsets(rows)?;
        }
        self.take_validity(count)?;
        let bytes = if kind == Kind::Text { self.take_offsets(count)? } else { kind.stored_bytes(count) };
        self.take([bytes, bytes]).map(|_| ())
    }

    fn take_validity(&mut self, count: u64) -> Result<Address, Refusal> {
        self.take([0, count.div_ceil(8)])
    }

    /// Returns the last offset.
    fn take_offsets(&mut self, count: u64) -> Result<u64, Refusal> {
        let bytes = (count + 1) * 4;
        let offsets = self.take([bytes, bytes])?;
        Ok(u64::from(self.memory.u32(offsets + count as usize * 4)))
    }

    /// The address of the next buffer, which has one of these lengths.
    fn take(&mut self, lengths: [u64; 2]) -> Result<Address, Refusal> {
        let start = u64::from(self.memory.u32(self.entry));
        let bytes = u64::from(self.memory.u32(self.entry + 4));
        if start != self.start || !lengths.contains(&bytes) || start + bytes > self.end {
            return Err(Refusal::NoBatch);
        }
        self.entry += 8;
        self.start = align_up(start + bytes);
        Ok(self.batch + start as usize)
    }
}

/// The rows of a batch that are wanted, of one column.
#[derive(Clone, Copy)]
pub struct Slice {
    memory: Memory,
    column: Column,
    batch: Batch,
}

impl Slice {
    pub fn rows(self) -> usize {
        self.batch.to - self.batch.from
    }

    /// None for a column without lists. Fails if their offsets do not ascend.
    pub fn lists(self) -> Result<Option<Lists>, Refusal> {
        if !self.column.is_list {
            return Ok(None);
        }
        let Batch { address, from, to, .. } = self.batch;
        let offsets = self.buffer(1).address;
        let elements = self.memory.word(offsets + self.memory.word(address) * 4);
        self.check_offsets(offsets, from, to, elements)?;
        Ok(Some(Lists { validity: self.validity(0), offsets, element_validity: self.validity(2), from, to }))
    }

    /// From which to which value the rows have them: the elements of these lists, if there are any.
    pub fn range(self, lists: Option<Lists>) -> (usize, usize) {
        match lists {
            None => (self.batch.from, self.batch.to),
            Some(Lists { offsets, from, to, .. }) => {
                (self.memory.word(offsets + from * 4), self.memory.word(offsets + to * 4))
            }
        }
    }

    /// The values of the rows, or the elements of these lists. Fails if the offsets of texts do not ascend.
    pub fn values(self, lists: Option<Lists>) -> Result<Source, Refusal> {
        let (from, to) = self.range(lists);
        let first = if lists.is_some() { 2 } else { 0 };
        let validity = self.validity(first);
        if self.column.kind != Kind::Text {
            return Ok(Source { validity, offsets: 0, values: self.buffer(first + 1).address, from, to });
        }
        let (offsets, values) = (self.buffer(first + 1).address, self.buffer(first + 2));
        self.check_offsets(offsets, from, to, values.length)?;
        Ok(Source { validity, offsets, values: values.address, from, to })
    }

    /// Fails unless offsets `from` to `to` ascend and are at most `most`.
    fn check_offsets(self, offsets: Address, from: usize, to: usize, most: usize) -> Result<(), Refusal> {
        let words = self.memory.slice(offsets + from * 4, (to - from + 1) * 4).chunks_exact(4);
        let ascend = words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).is_sorted();
        if ascend && self.memory.word(offsets + to * 4) <= most { Ok(()) } else { Err(Refusal::NoBatch) }
    }

    /// 0 if nothing is null.
    fn validity(self, index: usize) -> Address {
        let Bytes { address, length } = self.buffer(index);
        if length == 0 { 0 } else { address }
    }

    fn buffer(self, index: usize) -> Bytes {
        let entry = self.batch.address + TABLE_START + (self.column.first_buffer + index) * 8;
        Bytes { address: self.batch.address + self.memory.word(entry), length: self.memory.word(entry + 4) }
    }
}

fn align_up(bytes: u64) -> u64 {
    bytes.next_multiple_of(ALIGNMENT)
}
