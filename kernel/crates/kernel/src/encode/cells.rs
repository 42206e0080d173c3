//! Cells and columns as JavaScript lays them out, and what every encoder asks of them.

use crate::memory::{Address, Memory};

/// One value of a row: a range of bytes anywhere in the memory, or the elements of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub address: Address,
    pub length: usize,
}

pub const CELL_BYTES: usize = 8;
pub const NULL_LENGTH: u32 = u32::MAX;

impl Cell {
    /// Null is `None`.
    #[inline(always)]
    pub fn read(memory: Memory, at: Address) -> Option<Self> {
        let cell = memory.u64(at);
        let length = (cell >> 32) as u32;
        (length != NULL_LENGTH).then_some(Self { address: cell as u32 as usize, length: length as usize })
    }

    /// The elements of a list.
    #[inline(always)]
    pub fn elements(self) -> Cells {
        Cells { first: self.address, count: self.length, stride: CELL_BYTES }
    }
}

/// A column as it is read and written; `toColumnProgram` in src/kernel/scan/table-encoder.ts lays it out.
#[derive(Clone, Copy)]
pub struct Column {
    /// From the beginning of the row to the cell, in bytes.
    pub offset: usize,
    pub kind: u32,
    pub is_list: bool,
    /// Decimals behind the point.
    pub scale: usize,
    /// The most digits of a decimal.
    pub precision: usize,
    /// The text before the value in a line of NDJSON.
    pub key: Address,
    pub key_length: usize,
}

const COLUMN_BYTES: usize = 28;

pub const TEXT: u32 = 0;
pub const INTEGER: u32 = 1;
pub const FLOAT: u32 = 2;
pub const BOOLEAN: u32 = 3;
pub const MILLISECONDS: u32 = 4;
pub const SECONDS: u32 = 5;
pub const DATE: u32 = 6;
pub const DECIMAL: u32 = 7;
pub const JSON: u32 = 8;

impl Column {
    #[inline(always)]
    pub fn is_text(self) -> bool {
        self.kind == TEXT || self.kind == JSON
    }

    /// The most that the text of a cell takes before anything in it is escaped, its elements with a sign behind each.
    #[inline(always)]
    pub fn text_bytes(self, memory: Memory, cell: Cell) -> u64 {
        let most = |value: Cell| value.length.max(SCALAR_BYTES) as u64;
        if !self.is_list {
            return most(cell);
        }
        cell.elements().each(memory).map(|element| element.map_or(0, most) + 8).sum()
    }
}

/// The most that a value other than text takes, signs around it included.
const SCALAR_BYTES: usize = 64;

/// Cells that lie `stride` apart.
#[derive(Clone, Copy)]
pub struct Cells {
    pub first: Address,
    pub count: usize,
    pub stride: usize,
}

impl Cells {
    #[inline(always)]
    pub fn each(self, memory: Memory) -> impl Iterator<Item = Option<Cell>> {
        (0..self.count).map(move |index| Cell::read(memory, self.first + index * self.stride))
    }

    pub fn skip(self, count: usize) -> Self {
        Self { first: self.first + count * self.stride, count: self.count - count, ..self }
    }
}

/// Rows one behind the other, and the columns that are wanted of them.
#[derive(Clone, Copy)]
pub struct Rows {
    pub address: Address,
    pub count: usize,
    pub row_bytes: usize,
    pub columns: Address,
    pub column_count: usize,
}

impl Rows {
    #[inline(always)]
    pub fn rows(self) -> impl Iterator<Item = Address> {
        (0..self.count).map(move |index| self.address + index * self.row_bytes)
    }

    /// The cells of a column.
    #[inline(always)]
    pub fn cells(self, column: Column) -> Cells {
        Cells { first: self.address + column.offset, count: self.count, stride: self.row_bytes }
    }

    #[inline(always)]
    pub fn columns(self, memory: Memory) -> impl Iterator<Item = Column> {
        (0..self.column_count).map(move |index| {
            let at = self.columns + index * COLUMN_BYTES;
            Column {
                offset: memory.word(at),
                kind: memory.u32(at + 4),
                is_list: memory.u32(at + 8) != 0,
                scale: memory.word(at + 12),
                precision: memory.word(at + 16),
                key: self.columns + memory.word(at + 20),
                key_length: memory.word(at + 24),
            }
        })
    }
}

/// Why nothing was encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoRoom,
    /// There is a value that only the reference path can write.
    NotSure,
}

/// How many bytes were written.
pub type Encoded = Result<usize, Refusal>;

/// The number of bytes, or a negative number for a refusal.
pub fn to_word(encoded: Encoded) -> i32 {
    match encoded {
        Ok(bytes) => bytes as i32,
        Err(Refusal::NoRoom) => -1,
        Err(Refusal::NotSure) => -2,
    }
}
