//! Choices: the best element of a list, and the best locale of a localized value, give their cells to the row.

use crate::encode::cells::NULL_LENGTH;
use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::numbers::parse_integer;

/// The display order of an element without one.
const LAST_ORDER: i64 = i64::MAX;

impl Memory {
    /// A list begins: nothing is chosen yet.
    pub(super) fn reset_picks(self, list: Address) {
        for pick in self.each(list + LIST_PICKS, list + LIST_PICK_COUNT, PICK_BYTES) {
            self.set_word(pick + PICK_BEST_RANK, NO_RANK);
        }
    }

    /// An element begins: its cells are null.
    pub(super) fn begin_picks(self, list: Address) {
        self.fill_nulls(self.word(list + LIST_PICK_ROW), self.word(list + LIST_PICK_CELLS));
    }

    /// An element has ended: its cells stay if it is better than all before.
    pub(super) fn resolve_picks(self, list: Address) {
        let row = self.word(list + LIST_PICK_ROW);
        for pick in self.each(list + LIST_PICKS, list + LIST_PICK_COUNT, PICK_BYTES) {
            let cell = self.word(pick + PICK_FROM);
            if !self.is_filled(pick, cell) || self.find_failing(pick + PICK_CONDITIONS, 0).is_some() {
                continue;
            }
            let rank = self.rank_of(pick, row);
            let best = self.word(pick + PICK_BEST_RANK);
            if rank == NO_RANK || rank > best {
                continue;
            }
            let order = self.order_of(row + PICK_ORDER_CELL);
            if rank == best && order >= self.i64(pick + PICK_BEST_ORDER) {
                continue;
            }
            self.set_word(pick + PICK_BEST_RANK, rank);
            self.set_i64(pick + PICK_BEST_ORDER, order);
            self.set_u64(self.word(self.word(pick + PICK_SLOT)) + self.word(pick + PICK_OFFSET), self.u64(cell));
        }
    }

    /// A localized value begins: no locale has given anything yet.
    pub(super) fn reset_ranks(self, node: Address) {
        for rank in self.each(node + LOCALIZED_RANKS, node + LOCALIZED_RANK_COUNT, RANK_BYTES) {
            self.set_word(rank, NO_RANK);
        }
    }

    /// True if a fallback that would take any other locale has found nothing.
    pub(super) fn wants_others(self, node: Address) -> bool {
        self.each(node + LOCALIZED_RANKS, node + LOCALIZED_RANK_COUNT, RANK_BYTES)
            .any(|rank| self.word(rank) == NO_RANK && self.u32(rank + RANK_OTHERS) != 0)
    }

    /// Empty text is not filled, nor is an empty list.
    fn is_filled(self, pick: Address, cell: Address) -> bool {
        match self.u32(cell + 4) {
            0 | NULL_LENGTH => false,
            2 => self.u32(pick + PICK_IS_JSON) == 0 || self.slice(self.word(cell), 2) != b"[]",
            _ => true,
        }
    }

    /// The rank that the value's locale has, or the position of the first name that the element has among its locales.
    fn rank_of(self, pick: Address, row: Address) -> usize {
        let kept = self.word(pick + PICK_RANK);
        if kept != 0 {
            return self.word(kept);
        }
        let names = self.word(pick + PICK_NAME_COUNT);
        self.each(pick + PICK_NAMES, pick + PICK_NAME_COUNT, NAME_BYTES)
            .position(|name| self.elements(row + PICK_LOCALES_CELL).any(|element| self.is_text_of(element, name)))
            .unwrap_or(if self.u32(pick + PICK_OTHERS) != 0 { names } else { NO_RANK })
    }

    fn order_of(self, cell: Address) -> i64 {
        let length = self.u32(cell + 4);
        if length == NULL_LENGTH { LAST_ORDER } else { parse_integer(self, self.word(cell), length as usize) }
    }
}
