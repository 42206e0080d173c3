//! Conditions on cells: of the elements that may be picked, of records, and of rows.

use super::Walk;
use crate::encode::cells::NULL_LENGTH;
use crate::layout::*;
use crate::memory::{Address, Memory};

impl Walk {
    /// Drops the rows of a record that fails a condition, or else those that fail one of their table. Counts both.
    pub(super) fn filter(&mut self) {
        let Self { memory, scope, .. } = *self;
        if let Some(condition) = memory.find_failing(scope + SCOPE_CONDITIONS, scope + SCOPE_CELLS) {
            memory.count_failed(condition);
            self.roll_back();
            return;
        }
        for filter in memory.each(scope + SCOPE_FILTERS, scope + SCOPE_FILTER_COUNT, FILTER_BYTES) {
            memory.filter_rows(filter, memory.word(scope + SCOPE_MARKS));
        }
    }
}

impl Memory {
    /// Keeps the rows of the line that meet the conditions, without gaps.
    fn filter_rows(self, filter: Address, marks: Address) {
        let header = self.word(filter + FILTER_TABLE);
        let (rows, row_bytes) = (self.word(header), self.word(header + 12) * 8);
        let first = self.word(marks + self.word(filter + FILTER_MARK));
        let mut kept = first;
        for row in first..self.word(header + 4) {
            let at = rows + row * row_bytes;
            if let Some(condition) = self.find_failing(filter + FILTER_CONDITIONS, at) {
                self.count_failed(condition);
                continue;
            }
            if kept < row {
                self.copy(rows + kept * row_bytes, at, row_bytes);
            }
            kept += 1;
        }
        self.set_word(header + 4, kept);
    }

    fn count_failed(self, condition: Address) {
        self.set_u32(condition + CONDITION_FAILED, self.u32(condition + CONDITION_FAILED) + 1);
    }

    /// The first condition that is not met. Where they are and how many is in two words; their cells are at offsets from `row`.
    pub(super) fn find_failing(self, conditions: Address, row: Address) -> Option<Address> {
        self.each(conditions, conditions + 4, CONDITION_BYTES).find(|condition| {
            let cell = row + self.word(condition + CONDITION_CELL);
            let is_in = if self.u32(condition + CONDITION_IS_LIST) != 0 {
                self.is_any_in(*condition, cell)
            } else {
                self.is_one_in(*condition, cell)
            };
            is_in == (self.u32(condition + CONDITION_IS_NOT) != 0)
        })
    }

    /// Tests if an element of the list is one of the values; a list in which no element has a value is null.
    fn is_any_in(self, condition: Address, cell: Address) -> bool {
        let mut is_null = true;
        for element in self.elements(cell) {
            if self.u32(element + 4) == NULL_LENGTH {
                continue;
            }
            if self.is_named(condition, element) {
                return true;
            }
            is_null = false;
        }
        is_null && self.u32(condition + CONDITION_TAKES_NULL) != 0
    }

    fn is_one_in(self, condition: Address, cell: Address) -> bool {
        if self.u32(cell + 4) == NULL_LENGTH {
            self.u32(condition + CONDITION_TAKES_NULL) != 0
        } else {
            self.is_named(condition, cell)
        }
    }

    fn is_named(self, condition: Address, cell: Address) -> bool {
        self.each(condition + CONDITION_NAMES, condition + CONDITION_NAME_COUNT, NAME_BYTES)
            .any(|name| self.is_text_of(cell, name))
    }

    #[inline(always)]
    pub(super) fn is_text_of(self, cell: Address, name: Address) -> bool {
        self.is_all_of_name(name, self.word(cell), self.word(cell + 4))
    }

    /// The cells of a list's elements; none for null.
    pub(super) fn elements(self, list: Address) -> impl Iterator<Item = Address> {
        let (first, count) = (self.word(list), self.u32(list + 4));
        let count = if count == NULL_LENGTH { 0 } else { count as usize };
        (0..count).map(move |index| first + index * 8)
    }

    /// The addresses of what lies one behind the other: where the first is and how many there are is at these addresses.
    #[inline(always)]
    pub(super) fn each(self, first: Address, count: Address, bytes: usize) -> impl Iterator<Item = Address> {
        let first = self.word(first);
        (0..self.word(count)).map(move |index| first + index * bytes)
    }
}
