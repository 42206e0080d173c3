//! The values of a column, or of a page of it, once they are gathered.

use super::kind::Kind;
use super::plain::{measure_plain_texts, write_plain_booleans, write_plain_texts};
use crate::memory::{Address, Memory};

#[derive(Clone, Copy)]
pub struct Values {
    pub memory: Memory,
    pub kind: Kind,
    pub start: Address,
    pub end: Address,
}

impl Values {
    pub fn count(self) -> usize {
        (self.end - self.start) / self.kind.width()
    }

    pub fn part(self, from: usize, to: usize) -> Self {
        let width = self.kind.width();
        Self { start: self.start + from * width, end: self.start + to * width, ..self }
    }

    /// The number of bytes that `write_plain` writes.
    pub fn plain_bytes(self) -> usize {
        match self.kind {
            Kind::Text => measure_plain_texts(self.memory, self.start, self.end),
            Kind::Boolean => self.count().div_ceil(8),
            _ => self.end - self.start,
        }
    }

    /// Writes the values in plain encoding. Returns the end.
    pub fn write_plain(self, to: Address) -> Address {
        let Self { memory, kind, start, end } = self;
        match kind {
            Kind::Text => write_plain_texts(memory, start, end, to),
            Kind::Boolean => write_plain_booleans(memory, start, end, to),
            _ => {
                memory.copy(to, start, end - start);
                to + end - start
            }
        }
    }
}
