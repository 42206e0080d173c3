//! Objects, and localized values, whose locales are their members.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory, Window};

impl Walk {
    /// The members of an object, or the locales of a localized value. A key that comes twice is refused.
    pub(super) fn walk_object(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        if memory.u8(memory.token(t + 4)) == b'}' {
            return memory.walk_close(t + 4, p);
        }
        let is_localized = memory.window(node).word::<NODE_KIND>() == LOCALIZED_NODE;
        if is_localized {
            memory.reset_ranks(node);
        }
        let first_note = self.note_count();
        let mut seen = [0u64; MOST_MEMBERS / 64];
        let mut guess = node + OBJECT_FIRST;
        let mut tokens = memory.window(t);
        loop {
            // Behind the brace or the comma at `t`.
            let key = tokens.word::<4>();
            let key_text = memory.window(key);
            if key_text.u8::<0>() != b'"' || !memory.is_blank(tokens.word::<0>() + 1, key) {
                return 0;
            }
            let mut member = memory.word(guess);
            let mut fields = memory.window(member);
            let mut value = key + fields.word::<NAME_LENGTH>() + 3;
            if !fields.has_key(key_text) {
                let Some(found) = self.find_other(node, guess, member, tokens) else { return 0 };
                member = found;
                fields = memory.window(member);
                value = tokens.word::<12>() + 1;
            }
            value = memory.skip_blanks(value);
            if member != 0 {
                let number = fields.word::<MEMBER_NUMBER>();
                let (members, bit) = (&mut seen[number / 64 % (MOST_MEMBERS / 64)], 1u64 << (number % 64));
                if *members & bit != 0 {
                    return 0;
                }
                *members |= bit;
                guess = member + MEMBER_NEXT;
            }
            t = if member == 0 {
                self.walk_unknown(node, t + 4, value, first_note)
            } else if fields.u32::<MEMBER_NOTED>() != 0 {
                self.walk_noted(node, fields.word::<MEMBER_NODE>(), t + 4, value)
            } else {
                self.walk_value(fields.word::<MEMBER_NODE>(), t + 16, value)
            };
            if t == 0 {
                return 0;
            }
            tokens = memory.window(t);
            if memory.u8(tokens.word::<0>()) != b',' {
                break;
            }
        }
        let end = tokens.word::<0>();
        if memory.u8(end) != b'}' || (is_localized && memory.wants_others(node)) {
            return 0;
        }
        memory.end_at(t + 4, end + 1)
    }

    /// The member, or 0, of a key for which another one was guessed; none if it is no plain key with a colon.
    #[inline(always)]
    fn find_other(&mut self, node: Address, guess: Address, guessed: Address, tokens: Window) -> Option<Address> {
        let memory = self.memory;
        let [key, close, colon] = [tokens.word::<4>(), tokens.word::<8>(), tokens.word::<12>()];
        if memory.u8(colon) != b':' || !memory.is_blank(close + 1, colon) || self.has_escape(close) {
            return None;
        }
        // A member that is often left out is skipped before the next one is guessed anew.
        let next = memory.word(guessed + MEMBER_NEXT);
        if memory.window(next).has_key(memory.window(key)) {
            return Some(next);
        }
        let member = memory.find_member(node, key + 1, close - key - 1);
        if member != 0 {
            memory.set_word(guess, member);
        }
        Some(member)
    }

    /// A locale that is noted, as it has no column.
    #[inline(never)]
    fn walk_noted(&mut self, node: Address, locale: Address, t: Address, value: Address) -> Address {
        let (key, close) = (self.memory.token(t), self.memory.token(t + 4));
        if self.note_locale(node, key, close, value) { self.walk_value(locale, t + 12, value) } else { 0 }
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
