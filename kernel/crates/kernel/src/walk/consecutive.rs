//! Consecutive lines, which the walk accepts by itself: they follow a line that was applied outside, and that set what to expect.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory};

const ID_CELL: usize = SCOPE_CELLS;
const INDEX_CELL: usize = SCOPE_CELLS + 8;
const TOTAL_CELL: usize = SCOPE_CELLS + 16;

/// Begins with the lines of another block, with a region for the entries of ids.
pub fn begin_block(memory: Memory, scope: Address, ids: Address, ids_end: Address) {
    memory.set_word(scope + SCOPE_IDS, ids);
    memory.set_word(scope + SCOPE_IDS_NEXT, ids);
    memory.set_word(scope + SCOPE_IDS_END, ids_end);
    // The drift that is met first is counted apart: it must not depend on other blocks.
    memory.set_u32(scope + SCOPE_KNOWN_COUNT, 0);
    expect_none(memory, scope);
}

/// Has no line accepted here until the next `expect_next`.
pub fn expect_none(memory: Memory, scope: Address) {
    memory.set_u64(scope + SCOPE_NEXT_INDEX, NO_POSITION as u64);
}

/// Has the lines that follow accepted here. The last one was applied outside.
pub fn expect_next(memory: Memory, scope: Address) {
    memory.set_u64(scope + SCOPE_NEXT_INDEX, position_behind(memory.read_position(scope + INDEX_CELL)));
    memory.set_u64(scope + SCOPE_SAME_TOTAL, memory.read_position(scope + TOTAL_CELL));
    for note in memory.notes(scope) {
        if memory.find_known(scope, note) == 0 {
            memory.add_known(scope, note);
        }
    }
}

fn position_behind(position: u64) -> u64 {
    if position < FIRST_POSITION as u64 { position } else { position + 1 }
}

impl Walk {
    /// Enters the id of a consecutive line and counts its drift; false, with nothing changed, for any other line.
    pub(super) fn try_accept_consecutive(&mut self) -> bool {
        let Self { memory, scope, .. } = *self;
        let index = memory.read_position(scope + INDEX_CELL);
        if index == NO_POSITION as u64
            || index != memory.u64(scope + SCOPE_NEXT_INDEX)
            || memory.read_position(scope + TOTAL_CELL) != memory.u64(scope + SCOPE_SAME_TOTAL)
            || !memory.notes(scope).all(|note| memory.find_known(scope, note) != 0)
            || !memory.enter_id(scope)
        {
            return false;
        }
        for note in memory.notes(scope) {
            let known = memory.find_known(scope, note);
            memory.set_u32(known + KNOWN_TIMES, memory.u32(known + KNOWN_TIMES) + 1);
        }
        memory.set_u64(scope + SCOPE_NEXT_INDEX, position_behind(index));
        memory.set_u32(scope + SCOPE_LINE, memory.u32(scope + SCOPE_LINE) + 1);
        true
    }
}

impl Memory {
    /// A count has digits only.
    fn read_position(self, cell: Address) -> u64 {
        let length = self.u32(cell + 4);
        if length == u32::MAX {
            return UNNUMBERED_POSITION as u64;
        }
        if length > 15 {
            return NO_POSITION as u64;
        }
        let mut number = 0;
        for byte in self.slice(self.word(cell), length as usize) {
            if !byte.is_ascii_digit() {
                return NO_POSITION as u64;
            }
            number = number * 10 + u64::from(byte - b'0');
        }
        number + FIRST_POSITION as u64
    }

    /// The notes of the line that are counted.
    fn notes(self, scope: Address) -> impl Iterator<Item = Address> {
        let first = self.word(scope + SCOPE_NOTES);
        (0..self.word(scope + SCOPE_NOTE_COUNT))
            .map(move |index| first + index * NOTE_BYTES)
            .filter(move |note| self.word(*note) & NOTE_KIND_MASK != SILENT_NOTE)
    }

    fn find_known(self, scope: Address, note: Address) -> Address {
        let (what, address, length) = (self.what_of(note), self.word(note + 4), self.word(note + 8));
        let first = self.word(scope + SCOPE_KNOWN);
        (0..self.word(scope + SCOPE_KNOWN_COUNT))
            .map(|index| first + index * KNOWN_BYTES)
            .find(|known| {
                self.word(known + KNOWN_NOTE) == what
                    && self.word(known + KNOWN_LENGTH) == length
                    && self.equal(known + KNOWN_TEXT, address, length)
            })
            .unwrap_or(0)
    }

    /// The kind and path of a note. A value in another locale is reported without its path.
    #[inline(always)]
    fn what_of(self, note: Address) -> usize {
        let what = self.word(note);
        if what & NOTE_KIND_MASK == OTHER_LOCALE_NOTE { OTHER_LOCALE_NOTE } else { what }
    }

    /// Adds a note to the known ones, if there is room.
    fn add_known(self, scope: Address, note: Address) {
        let (count, length) = (self.word(scope + SCOPE_KNOWN_COUNT), self.word(note + 8));
        if count == MOST_KNOWN || length > LONGEST_KNOWN {
            return;
        }
        let known = self.word(scope + SCOPE_KNOWN) + count * KNOWN_BYTES;
        self.set_word(known + KNOWN_NOTE, self.what_of(note));
        self.set_word(known + KNOWN_LENGTH, length);
        self.set_word(known + KNOWN_TIMES, 0);
        self.copy(known + KNOWN_TEXT, self.word(note + 4), length);
        self.set_word(scope + SCOPE_KNOWN_COUNT, count + 1);
    }

    /// False if there is no room.
    fn enter_id(self, scope: Address) -> bool {
        let (address, length) = (self.word(scope + ID_CELL), self.word(scope + ID_CELL + 4));
        let entry = self.word(scope + SCOPE_IDS_NEXT);
        let text = entry + ID_TEXT * 4;
        let next = text + length.next_multiple_of(4);
        if next > self.word(scope + SCOPE_IDS_END) {
            return false;
        }
        self.set_u32(next - 4, 0);
        self.copy(text, address, length);
        self.set_u32(entry + ID_HASH * 4, hash_text(self.slice(address, length)));
        self.set_word(entry + ID_LENGTH * 4, length);
        self.set_u32(entry + ID_LINE * 4, self.u32(scope + SCOPE_LINE));
        self.set_word(scope + SCOPE_IDS_NEXT, next);
        true
    }
}

fn hash_text(text: &[u8]) -> u32 {
    let hash =
        text.iter().fold(HASH_BASIS as u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(HASH_PRIME as u32));
    hash ^ (hash >> HASH_FOLD)
}
