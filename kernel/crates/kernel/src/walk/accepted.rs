//! Lines that the walk accepts by itself: the scope gets their ids, their drift, and series of their indexes.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory};

const ID_CELL: usize = SCOPE_CELLS;
const INDEX_CELL: usize = SCOPE_CELLS + 8;
const TOTAL_CELL: usize = SCOPE_CELLS + 16;

impl Walk {
    /// Enters the id, the index and the drift of the line; false, with nothing changed, for a line that has to be applied outside.
    pub(super) fn try_accept(&mut self) -> bool {
        let Self { memory, scope, .. } = *self;
        let (index, total) = (memory.read_position(scope + INDEX_CELL), memory.read_position(scope + TOTAL_CELL));
        if index == NO_POSITION as u64
            || total == NO_POSITION as u64
            || !memory.can_count_notes(scope)
            || !memory.has_room_in_series(scope, index, total)
            || !memory.enter_id(scope)
        {
            return false;
        }
        for note in memory.notes(scope) {
            memory.count_note(scope, note);
        }
        memory.enter_index(scope, index, total);
        memory.set_u32(scope + SCOPE_LINE, memory.u32(scope + SCOPE_LINE) + 1);
        self.filter();
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

    fn has_room_in_series(self, scope: Address, index: u64, total: u64) -> bool {
        self.word(scope + SCOPE_SERIES_COUNT) < MOST_SERIES || self.is_next(scope, index, total)
    }

    /// True if the line continues the last series.
    fn is_next(self, scope: Address, index: u64, total: u64) -> bool {
        let count = self.word(scope + SCOPE_SERIES_COUNT);
        if count == 0 {
            return false;
        }
        let last = self.word(scope + SCOPE_SERIES) + (count - 1) * SERIES_BYTES;
        let first = self.u64(last + SERIES_FIRST);
        let lines = if first < FIRST_POSITION as u64 { 0 } else { u64::from(self.u32(last + SERIES_LINES)) };
        index == first + lines && total == self.u64(last + SERIES_TOTAL)
    }

    fn enter_index(self, scope: Address, index: u64, total: u64) {
        let (count, series) = (self.word(scope + SCOPE_SERIES_COUNT), self.word(scope + SCOPE_SERIES));
        if self.is_next(scope, index, total) {
            let lines = series + (count - 1) * SERIES_BYTES + SERIES_LINES;
            return self.set_u32(lines, self.u32(lines) + 1);
        }
        let next = series + count * SERIES_BYTES;
        self.set_u64(next + SERIES_FIRST, index);
        self.set_u64(next + SERIES_TOTAL, total);
        self.set_u32(next + SERIES_LINES, 1);
        self.set_word(scope + SCOPE_SERIES_COUNT, count + 1);
    }

    /// The notes of the line that are counted.
    fn notes(self, scope: Address) -> impl Iterator<Item = Address> {
        let first = self.word(scope + SCOPE_NOTES);
        (0..self.word(scope + SCOPE_NOTE_COUNT))
            .map(move |index| first + index * NOTE_BYTES)
            .filter(move |note| self.word(*note) & NOTE_KIND_MASK != SILENT_NOTE)
    }

    /// True if there is room for all notes of the line that are not known yet, and none that only the reference path may count.
    fn can_count_notes(self, scope: Address) -> bool {
        let mut added = 0;
        self.notes(scope).all(|note| {
            let is_refused =
                self.word(note) & NOTE_KIND_MASK == UNKNOWN_VALUE_NOTE && self.u32(scope + SCOPE_REFUSES_VALUES) != 0;
            if is_refused {
                return false;
            }
            if self.find_known(scope, note) != 0 {
                return true;
            }
            added += 1;
            self.word(scope + SCOPE_KNOWN_COUNT) + added <= MOST_KNOWN && self.word(note + 8) <= LONGEST_KNOWN
        })
    }

    fn count_note(self, scope: Address, note: Address) {
        let known = match self.find_known(scope, note) {
            0 => self.add_known(scope, note),
            known => known,
        };
        self.set_u32(known + KNOWN_TIMES, self.u32(known + KNOWN_TIMES) + 1);
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

    fn add_known(self, scope: Address, note: Address) -> Address {
        let (count, length) = (self.word(scope + SCOPE_KNOWN_COUNT), self.word(note + 8));
        let known = self.word(scope + SCOPE_KNOWN) + count * KNOWN_BYTES;
        self.set_word(known + KNOWN_NOTE, self.what_of(note));
        self.set_word(known + KNOWN_LENGTH, length);
        self.set_word(known + KNOWN_TIMES, 0);
        self.copy(known + KNOWN_TEXT, self.word(note + 4), length);
        self.set_word(scope + SCOPE_KNOWN_COUNT, count + 1);
        known
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
