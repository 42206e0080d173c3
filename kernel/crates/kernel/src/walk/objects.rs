//! Objects, and localized values, whose locales are their members.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory};

impl Walk {
    /// The members of an object, or the locales of a localized value. A key that comes twice is refused.
    pub(super) fn walk_object(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        t += 4;
        if memory.u8(memory.token(t)) == b'}' {
            return memory.walk_close(t, p);
        }
        let first_note = self.note_count();
        let (mut seen, mut seen_beyond) = (0u64, 0u64);
        let mut guess = node + OBJECT_FIRST;
        let mut end = p;
        loop {
            let key = memory.token(t);
            if memory.u8(key) != b'"' || !memory.is_blank(end + 1, key) {
                return 0;
            }
            let mut member = memory.word(guess);
            let mut value;
            if memory.is_name(member, key + 1, memory.u32(member + NAME_MASK)) {
                value = key + memory.word(member + NAME_LENGTH) + 3;
            } else {
                let (close, colon) = (memory.token(t + 4), memory.token(t + 8));
                if memory.u8(colon) != b':' || !memory.is_blank(close + 1, colon) || self.has_escape(close) {
                    return 0;
                }
                value = colon + 1;
                // A member that is often left out is skipped before the next one is guessed anew.
                member = memory.word(member + MEMBER_NEXT);
                if !memory.is_name(member, key + 1, memory.u32(member + NAME_MASK)) {
                    member = memory.find_member(node, key + 1, close - key - 1);
                    if member != 0 {
                        memory.set_word(guess, member);
                    }
                }
            }
            value = memory.skip_blanks(value);
            if member != 0 {
                let number = memory.u32(member + MEMBER_NUMBER);
                let bit = 1u64 << (number & 63);
                let members = if number < 64 { &mut seen } else { &mut seen_beyond };
                if *members & bit != 0 {
                    return 0;
                }
                *members |= bit;
                guess = member + MEMBER_NEXT;
                if memory.u32(member + MEMBER_NOTED) != 0 && !self.note_locale(node, key, memory.token(t + 4), value) {
                    return 0;
                }
                t = self.walk_value(memory.word(member + MEMBER_NODE), t + 12, value);
            } else {
                t = self.walk_unknown(node, t, value, first_note);
            }
            if t == 0 {
                return 0;
            }
            end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                break;
            }
        }
        if memory.u8(end) != b'}' {
            return 0;
        }
        if memory.word(node + NODE_KIND) == LOCALIZED_NODE && memory.wants_others(node) {
            return 0;
        }
        memory.end_at(t, end + 1)
    }

    /// A key that is no member: drift of an object, another locale of a localized value.
    fn walk_unknown(&mut self, node: Address, t: Address, value: Address, first_note: usize) -> Address {
        let memory = self.memory;
        let (key, close) = (memory.token(t), memory.token(t + 4));
        let (name, length) = (key + 1, close - key - 1);
        let first = memory.u8(name);
        // `__proto__` is no key like others to JavaScript, and a locale `*` has another key in the canonical form.
        if first == b'_' && memory.u8(name + 1) == b'_' {
            return 0;
        }
        // Numbers are no keys like others either: it puts them first.
        if self.keeps_json && first.is_ascii_digit() {
            return 0;
        }
        if memory.word(node + NODE_KIND) == LOCALIZED_NODE {
            if (first == b'*' && length == 1) || self.is_noted(first_note, node, name, length) {
                return 0;
            }
            if !self.note_locale(node, key, close, value) {
                return 0;
            }
            return self.walk_value(memory.word(node + LOCALIZED_OTHER), t + 12, value);
        }
        let unknown = memory.word(node + OBJECT_UNKNOWN);
        if unknown == UNKNOWN_REFUSED {
            return 0;
        }
        if unknown == UNKNOWN_NOTED || self.keeps_json {
            let kind = if unknown == UNKNOWN_NOTED { UNKNOWN_FIELD_NOTE } else { SILENT_NOTE };
            if self.is_noted(first_note, node, name, length) || !self.note(node, kind, name, length) {
                return 0;
            }
        }
        self.walk_any(t + 12, value, 0)
    }

    /// Nulls don't count as values in another locale.
    fn note_locale(&mut self, node: Address, key: Address, close: Address, value: Address) -> bool {
        let kind = if self.memory.u8(value) == b'n' { SILENT_NOTE } else { OTHER_LOCALE_NOTE };
        self.note(node, kind, key + 1, close - key - 1)
    }
}

impl Memory {
    /// Over the end of a list or an object that has nothing in it.
    pub(super) fn walk_close(self, t: Address, p: Address) -> Address {
        let close = self.token(t);
        if self.is_blank(p + 1, close) { self.end_at(t + 4, close + 1) } else { 0 }
    }

    /// An empty list is how some encoders write an empty object.
    pub(super) fn walk_empty_list(self, t: Address, p: Address) -> Address {
        if self.u8(self.token(t + 4)) == b']' { self.walk_close(t + 4, p) } else { 0 }
    }
}
