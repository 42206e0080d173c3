//! Notes of drift, and of keys that may not come twice.

use super::Walk;
use crate::layout::*;
use crate::memory::Address;

impl Walk {
    /// Notes drift of a kind at the path of a node; false if there is too much of it.
    pub(super) fn note(&mut self, node: Address, kind: usize, address: Address, length: usize) -> bool {
        let Self { memory, scope, .. } = *self;
        let count = memory.word(scope + SCOPE_NOTE_COUNT);
        if count >= MOST_NOTES {
            return false;
        }
        let at = memory.word(scope + SCOPE_NOTES) + count * NOTE_BYTES;
        memory.set_word(at, (memory.word(node + NODE_PATH) << NOTE_KIND_BITS) | kind);
        memory.set_word(at + 4, address);
        memory.set_word(at + 8, length);
        memory.set_word(scope + SCOPE_NOTE_COUNT, count + 1);
        true
    }

    /// True if one of the notes behind the first `from` has the same path and text: a key that comes twice.
    pub(super) fn is_noted(&self, from: usize, node: Address, address: Address, length: usize) -> bool {
        let Self { memory, scope, .. } = *self;
        let path = memory.word(node + NODE_PATH);
        let notes = memory.word(scope + SCOPE_NOTES);
        (from..self.note_count()).map(|index| notes + index * NOTE_BYTES).any(|note| {
            memory.word(note) >> NOTE_KIND_BITS == path
                && memory.word(note + 8) == length
                && memory.equal(memory.word(note + 4), address, length)
        })
    }

    #[inline(always)]
    pub(super) fn note_count(&self) -> usize {
        self.memory.word(self.scope + SCOPE_NOTE_COUNT)
    }
}
