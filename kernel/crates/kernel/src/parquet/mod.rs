//! Row groups of Parquet files: the rows of record batches as pages, column by column, and what the file's metadata says of them.

pub mod batches;
pub mod bounds;
mod chunk;
pub mod dictionary;
mod facts;
mod gather;
pub mod hybrid;
pub mod kind;
pub mod levels;
mod page;
mod plain;
pub mod room;
pub mod text_bounds;
pub mod values;

use crate::memory::{Address, Bytes, Memory};
use facts::Facts;
use page::Pages;
use room::Room;

/// Why nothing was encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoRoom,
    /// The bytes are no record batches of the columns.
    NoBatch,
}

/// A row group as `layOut` in src/formats/parquet/row-group-encoder.ts lays it out: each of these is a word, in this order.
#[derive(Clone, Copy)]
pub struct RowGroup {
    /// Three words a column: its kind, 1 if it has lists, and the bytes of a long decimal.
    pub columns: Address,
    pub column_count: usize,
    /// Three words a batch: its bytes, and from which row to which it counts.
    pub batches: Address,
    pub batch_count: usize,
    /// Where the first batch begins; the others follow, and end before `facts`.
    pub bytes: Address,
    pub facts: Address,
    pub pages: Address,
    pub limit: Address,
    pub is_compressed: bool,
}

impl RowGroup {
    pub fn read(memory: Memory, at: Address) -> Self {
        let word = |index: usize| memory.word(at + index * 4);
        Self {
            columns: word(0),
            column_count: word(1),
            batches: word(2),
            batch_count: word(3),
            bytes: word(4),
            facts: word(5),
            pages: word(6),
            limit: word(7),
            is_compressed: word(8) != 0,
        }
    }

    /// Writes the pages of all chunks, one behind the other, and their facts. Returns how many bytes the pages take. `compress` gets
    /// a page and room for `most_compressed`, and returns how many bytes it wrote.
    pub fn encode(self, memory: Memory, compress: impl FnMut(Bytes, Bytes) -> usize) -> Result<usize, Refusal> {
        self.check_batches(memory)?;
        let mut output = Output {
            room: Room { low: self.pages, high: self.limit },
            facts: Facts { memory, at: self.facts, limit: self.pages },
            pages: Pages { memory, is_compressed: self.is_compressed, compress },
        };
        for column in self.columns(memory) {
            chunk::encode(memory, self, column?, &mut output)?;
            output.room.high = self.limit;
        }
        Ok(output.room.low - self.pages)
    }
}

struct Output<Compress> {
    room: Room,
    facts: Facts,
    pages: Pages<Compress>,
}

/// A text: its address, and its length above.
#[inline(always)]
fn split(text: u64) -> (Address, usize) {
    (text as u32 as usize, (text >> 32) as usize)
}
