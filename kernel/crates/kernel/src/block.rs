//! All work on one block: its lines are indexed and walked, then the rows of its tables are counted and encoded.

use crate::digest::digest;
use crate::encode::batch::encode_batch;
use crate::encode::cells::{Encoded, Rows, to_word};
use crate::encode::copy::encode_copy;
use crate::encode::csv::{CsvDialect, encode_csv};
use crate::encode::ndjson::encode_ndjson;
use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::profile::profile_cells;
use crate::scan::scan;
use crate::walk::{Verdict, Walk};

/// What the work on a block comes to. It continues with the next call, unless there was no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Done,
    /// The walk has written the cells of a line that it may not accept by itself.
    Decoded,
    /// The reference path decides about a line.
    Fallback,
    /// The same, for a line with a control character, which is not indexed. The caller says where the next line begins.
    Unindexed,
    /// There was no room in the region of this header.
    NoRoom(usize),
}

#[derive(Clone, Copy)]
pub struct Block {
    memory: Memory,
    at: Address,
}

impl Block {
    /// The block whose words, as src/kernel/program/block-layout.ts describes them, begin at an address.
    pub fn new(memory: Memory, at: Address) -> Self {
        Self { memory, at }
    }

    pub fn run(self) -> Answer {
        let scope = self.word(BLOCK_SCOPE);
        while self.word(BLOCK_NEXT) < self.word(BLOCK_END) {
            if self.word(BLOCK_NEXT) >= self.word(BLOCK_INDEXED) && !self.index() {
                return Answer::Unindexed;
            }
            let mut walk = Walk::restore(self.memory, scope);
            let verdict = match self.word(BLOCK_ACCEPTS) & self.word(BLOCK_IS_UTF8) {
                0 => walk.walk_line(),
                _ => walk.walk_lines(self.word(BLOCK_INDEXED)),
            };
            self.set(BLOCK_NEXT, walk.next_line());
            walk.save();
            match verdict {
                Verdict::Ended => {}
                Verdict::Accepted => return Answer::Decoded,
                Verdict::Fallback => return Answer::Fallback,
                Verdict::NoRoom(header) => return Answer::NoRoom(header),
            }
        }
        self.finish();
        Answer::Done
    }

    /// Indexes the next lines, up to one with a control character. False if that is the first.
    fn index(self) -> bool {
        let Self { memory, .. } = self;
        let [scope, next, end, index, escapes] =
            [BLOCK_SCOPE, BLOCK_NEXT, BLOCK_END, BLOCK_INDEX, BLOCK_ESCAPES].map(|at| self.word(at));
        let scanned = scan(memory, next, end - next, index, escapes);
        self.set(BLOCK_INDEXED, next + scanned.held);
        self.set(BLOCK_IS_UTF8, usize::from(scanned.is_utf8));
        Walk::begin(memory, scope, next, index, escapes).save();
        scanned.held > 0
    }

    fn finish(self) {
        let memory = self.memory;
        for counted in self.list(BLOCK_COUNTED, BLOCK_COUNTED_COUNT, COUNTED_WORDS) {
            profile_cells(memory, memory.rows_of(counted), memory.word(counted + COUNTED_STATES));
        }
        let mut to = self.word(BLOCK_TO);
        for piece in self.list(BLOCK_PIECES, BLOCK_PIECE_COUNT, 1).map(|at| memory.word(at)) {
            let encoded = match memory.rows_of(piece).count {
                0 => Ok(0),
                _ => encode_piece(memory, piece, to, self.word(BLOCK_LIMIT)),
            };
            to += encoded.unwrap_or(0);
            memory.set_i32(piece + PIECE_RESULT, to_word(encoded));
        }
        if self.word(BLOCK_DIGEST) != 0 {
            digest(memory, self.word(BLOCK_BYTES), self.word(BLOCK_LENGTH), self.word(BLOCK_DIGEST));
        }
    }

    fn list(self, first: usize, count: usize, words: usize) -> impl Iterator<Item = Address> {
        let first = self.word(first);
        (0..self.word(count)).map(move |index| first + index * words * 4)
    }

    fn word(self, at: usize) -> usize {
        self.memory.word(self.at + at)
    }

    fn set(self, at: usize, value: usize) {
        self.memory.set_word(self.at + at, value);
    }
}

/// Encodes the rows that the table of a piece holds now between two addresses.
pub fn encode_piece(memory: Memory, piece: Address, to: Address, limit: Address) -> Encoded {
    let rows = memory.rows_of(piece);
    match memory.word(piece + PIECE_FORMAT) {
        NDJSON_PIECE => encode_ndjson(memory, rows, to, limit),
        COPY_PIECE => encode_copy(memory, rows, to, limit),
        BATCH_PIECE => encode_batch(memory, rows, to, limit),
        _ => {
            let [delimiter, quote, list_separator, flags] =
                [PIECE_DELIMITER, PIECE_QUOTE, PIECE_LIST_SEPARATOR, PIECE_FLAGS].map(|at| memory.u32(piece + at));
            encode_csv(memory, rows, to, limit, CsvDialect::of_words(delimiter, quote, list_separator, flags))
        }
    }
}

impl Memory {
    /// The rows that the table of a counted or encoded part holds now.
    fn rows_of(self, part: Address) -> Rows {
        let header = self.word(part + ROWS_TABLE);
        Rows {
            address: self.word(header),
            count: self.word(header + 4),
            row_bytes: self.word(header + 12) * 8,
            columns: self.word(part + ROWS_COLUMNS),
            column_count: self.word(part + ROWS_COLUMN_COUNT),
        }
    }
}
