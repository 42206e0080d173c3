//! Columns that count filled values, or say if there is one: they are written behind the walk of a line, from hidden cells.

use super::Walk;
use crate::encode::cells::{CELL_BYTES, NULL_LENGTH};
use crate::layout::*;
use crate::memory::{Address, Memory};

impl Walk {
    /// False if there is no room.
    pub(super) fn write_filled(&mut self) -> bool {
        let Self { memory, scope, .. } = *self;
        for column in memory.each(scope + SCOPE_FILLED, scope + SCOPE_FILLED_COUNT, FILLED_BYTES) {
            let header = memory.word(column + FILLED_TABLE);
            let row_bytes = memory.word(header + 12) * CELL_BYTES;
            let first = memory.word(memory.word(column + FILLED_MARK));
            for row in first..memory.word(header + 4) {
                if !self.write_filled_of(column, memory.word(header) + row * row_bytes) {
                    return false;
                }
            }
        }
        true
    }

    fn write_filled_of(&mut self, column: Address, row: Address) -> bool {
        let memory = self.memory;
        let cell = row + memory.word(column + FILLED_CELL);
        let mut filled = memory.filled_in(column, row + memory.word(column + FILLED_FROM));
        if memory.u32(column + FILLED_IS_COUNT) != 0 {
            return self.write_number(cell, filled.count());
        }
        let (at, length) = if filled.next().is_some() { (0, 4) } else { (8, 5) };
        memory.set_u32(cell, (memory.word(self.scope + SCOPE_TRUTHS) + at) as u32);
        memory.set_u32(cell + 4, length);
        true
    }
}

impl Memory {
    /// The elements of a list that count, or the one value of a cell.
    fn filled_in(self, column: Address, from: Address) -> impl Iterator<Item = Address> {
        let width = self.word(column + FILLED_WIDTH);
        let (first, cells, width) = match (width, self.u32(from + 4)) {
            (0, _) => (from, 1, 1),
            (_, NULL_LENGTH) => (from, 0, width),
            (_, cells) => (self.word(from), cells as usize, width),
        };
        let elements = (0..cells).step_by(width).map(move |cell| first + cell * CELL_BYTES);
        elements.filter(move |element| {
            self.is_filled_at(column, element + self.word(column + FILLED_VALUE))
                && self.find_failing(column + FILLED_CONDITIONS, *element).is_none()
        })
    }

    fn is_filled_at(self, column: Address, cell: Address) -> bool {
        match self.u32(cell + 4) {
            NULL_LENGTH => false,
            0 => self.u32(column + FILLED_IS_OBJECT) != 0,
            _ => true,
        }
    }
}
