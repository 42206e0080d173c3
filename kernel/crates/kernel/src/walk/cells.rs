//! The targets of values: cells of rows, elements of list cells, and the record's own cells; and the roll-back of a line.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory, fits};
use crate::simd::Bytes16;

/// Address 0 and length 0xffffffff.
const NULL_CELL: u64 = 0xffff_ffff_0000_0000;
/// Length 0 at any other address.
const EMPTY_CELL: u64 = 1;
const HEADER_BYTES: usize = 16;

impl Walk {
    /// Puts a value into every cell that wants it.
    #[inline(always)]
    pub(super) fn put(&mut self, node: Address, address: Address, length: usize) {
        let memory = self.memory;
        let fields = memory.window(node);
        let mut target = fields.word::<NODE_TARGETS>();
        for _ in 0..fields.word::<NODE_TARGET_COUNT>() {
            let fields = memory.window(target);
            let to = memory.word(fields.word::<TARGET_SLOT>()) + fields.word::<TARGET_OFFSET>();
            if fields.u32::<TARGET_RANK_KEPT>() == 0 || memory.is_better(target, to, length) {
                memory.set_u64(to, address as u64 | ((length as u64) << 32));
            }
            target += TARGET_BYTES;
        }
    }

    /// Room for `bytes` in the arena, which `take_arena` makes use of; 0 if there is none.
    pub(super) fn find_arena(&mut self, bytes: usize) -> Address {
        let next = self.memory.word(self.headers);
        if fits(next, bytes as u64, self.memory.word(self.headers + 4)) {
            return next;
        }
        self.room_missing = Some(0);
        0
    }

    pub(super) fn take_arena(&mut self, end: Address) {
        self.memory.set_word(self.headers, end);
    }

    /// Cells of the record, the rows of root tables and the notes begin anew; the ends of all regions are remembered for `roll_back`.
    pub(super) fn begin_line(&mut self) {
        let Self { memory, scope, headers, .. } = *self;
        self.room_missing = None;
        memory.set_u32(scope + SCOPE_NOTE_COUNT, 0);
        let marks = memory.word(scope + SCOPE_MARKS);
        memory.set_u32(marks, memory.u32(headers));
        for index in 1..memory.word(scope + SCOPE_HEADER_COUNT) {
            memory.set_u32(marks + index * 4, memory.u32(headers + index * HEADER_BYTES + 4));
        }
        memory.fill_nulls(scope + SCOPE_CELLS, memory.word(scope + SCOPE_CELL_COUNT));
    }

    /// Takes back all that the line has given.
    pub fn roll_back(&mut self) {
        let Self { memory, scope, headers, .. } = *self;
        let marks = memory.word(scope + SCOPE_MARKS);
        memory.set_u32(headers, memory.u32(marks));
        for index in 1..memory.word(scope + SCOPE_HEADER_COUNT) {
            memory.set_u32(headers + index * HEADER_BYTES + 4, memory.u32(marks + index * 4));
        }
    }

    /// Writes what all rows of a line have, such as the record's id, which may come behind the lists.
    pub(super) fn write_copies(&mut self) {
        let Self { memory, scope, .. } = *self;
        let mut copy = memory.word(scope + SCOPE_COPIES);
        for _ in 0..memory.word(scope + SCOPE_COPY_COUNT) {
            let cell = memory.u64(memory.word(copy + COPY_FROM));
            let header = memory.word(copy + COPY_TABLE);
            let row_bytes = memory.word(header + 12) * 8;
            let rows = memory.word(header);
            let end = rows + memory.word(header + 4) * row_bytes;
            let mark = memory.word(memory.word(copy + COPY_MARK));
            let mut row = rows + mark * row_bytes + memory.word(copy + COPY_OFFSET);
            while row < end {
                memory.set_u64(row, cell);
                row += row_bytes;
            }
            copy += COPY_BYTES;
        }
    }

    /// Appends the cells and begins the rows of an element; a null element has cells but no rows.
    #[inline(always)]
    pub(super) fn begin_element(&mut self, element: Address, is_null: bool) -> bool {
        let fields = self.memory.window(element);
        let append = fields.word::<ELEMENT_APPENDS>();
        for index in 0..fields.word::<ELEMENT_APPEND_COUNT>() {
            if !self.append_cell(append + index * APPEND_BYTES, is_null) {
                return false;
            }
        }
        if is_null {
            return true;
        }
        let begin = fields.word::<ELEMENT_BEGINS>();
        for index in 0..fields.word::<ELEMENT_BEGIN_COUNT>() {
            if !self.begin_row(begin + index * BEGIN_BYTES) {
                return false;
            }
        }
        true
    }

    #[inline(always)]
    fn append_cell(&mut self, append: Address, is_null: bool) -> bool {
        let memory = self.memory;
        let append = memory.window(append);
        let header = append.word::<APPEND_LIST>();
        let list = memory.window(header);
        let cells = list.word::<4>();
        if cells >= list.word::<8>() {
            return self.fail_for_room(header);
        }
        memory.set_word(header + 4, cells + 1);
        let cell = list.word::<0>() + cells * 8;
        let is_first = append.u32::<APPEND_IS_FIRST>() != 0;
        memory.set_u64(cell, if is_first && !is_null { EMPTY_CELL } else { NULL_CELL });
        memory.set_word(append.word::<APPEND_SLOT>(), cell);
        true
    }

    fn begin_row(&mut self, begin: Address) -> bool {
        let memory = self.memory;
        let begin = memory.window(begin);
        let header = begin.word::<BEGIN_TABLE>();
        let table = memory.window(header);
        let (rows, width) = (table.word::<4>(), table.word::<12>());
        if rows >= table.word::<8>() {
            return self.fail_for_room(header);
        }
        let row = table.word::<0>() + rows * width * 8;
        memory.set_word(header + 4, rows + 1);
        memory.set_word(begin.word::<BEGIN_SLOT>(), row);
        memory.fill_nulls(row, width);
        let mut position = begin.word::<BEGIN_POSITIONS>();
        for _ in 0..begin.word::<BEGIN_POSITION_COUNT>() {
            let fields = memory.window(position);
            let number = memory.word(fields.word::<4>());
            if !self.write_number(row + fields.word::<0>(), number) {
                return false;
            }
            position += POSITION_BYTES;
        }
        true
    }

    /// The first numbers are ready as text; later ones are written to the arena.
    pub(super) fn write_number(&mut self, cell: Address, number: usize) -> bool {
        let memory = self.memory;
        let mut digits = if number < 10 {
            1
        } else if number < 100 {
            2
        } else {
            3
        };
        let mut address = memory.word(self.scope + SCOPE_NUMBERS) + number * 8;
        if number >= NUMBER_COUNT {
            address = self.find_arena(16);
            if address == 0 {
                return false;
            }
            digits = number.ilog10() as usize + 1;
            let mut rest = number;
            for at in (address..address + digits).rev() {
                memory.set_u8(at, b'0' + (rest % 10) as u8);
                rest /= 10;
            }
            self.take_arena(address + digits);
        }
        memory.set_u64(cell, address as u64 | ((digits as u64) << 32));
        true
    }

    fn fail_for_room(&mut self, header: Address) -> bool {
        self.room_missing = Some((header - self.headers) / HEADER_BYTES);
        false
    }
}

impl Memory {
    /// True for a filled value whose rank is the best so far, or in the place of null.
    fn is_better(self, target: Address, to: Address, length: usize) -> bool {
        let kept = self.word(target + TARGET_RANK_KEPT);
        if kept == ONLY_NULL {
            return self.u64(to) == NULL_CELL;
        }
        let rank = self.u32(target + TARGET_RANK);
        if length == 0 || rank >= self.u32(kept) {
            return false;
        }
        self.set_u32(kept, rank);
        true
    }

    pub(super) fn open_lists(self, opens: Address, count: usize) {
        for open in (0..count).map(|index| opens + index * OPEN_BYTES) {
            self.set_u32(open + OPEN_START, self.u32(self.word(open + OPEN_LIST) + 4));
        }
    }

    pub(super) fn close_lists(self, opens: Address, count: usize) {
        for open in (0..count).map(|index| opens + index * OPEN_BYTES) {
            let header = self.word(open + OPEN_LIST);
            let start = self.word(open + OPEN_START);
            let address = self.word(header) + start * 8;
            let cells = self.word(header + 4) - start;
            let to = self.word(self.word(open + OPEN_SLOT)) + self.word(open + OPEN_OFFSET);
            self.set_u64(to, address as u64 | ((cells as u64) << 32));
        }
    }

    #[inline(always)]
    pub(super) fn fill_nulls(self, mut cell: Address, count: usize) {
        let end = cell + count * 8;
        let nulls = Bytes16::of_words(NULL_CELL, NULL_CELL);
        while cell + 16 <= end {
            self.set_bytes16(cell, nulls);
            cell += 16;
        }
        if cell < end {
            self.set_u64(cell, NULL_CELL);
        }
    }
}
