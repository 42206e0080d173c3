//! The members of objects in JSON text, in the order of the contract; those of localized values as they come.

use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::walk::Walk;

/// The number of a key that is no member.
const UNKNOWN_NUMBER: usize = usize::MAX;

impl Walk {
    /// Appends an object; it is begun again if its members turn out not to be in order.
    pub(super) fn emit_members(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        let first = t;
        let written = self.written();
        let is_ordered = memory.word(node + NODE_KIND) == OBJECT_NODE;
        self.emit(p, p + 1);
        t += 4;
        let mut end = memory.token(t);
        if memory.u8(end) == b'}' {
            self.emit(end, end + 1);
            return t + 4;
        }
        let mut guess = node + OBJECT_FIRST;
        let mut last = 0;
        loop {
            let member = memory.member_at(node, guess, t);
            if is_ordered {
                let number = if member == 0 { UNKNOWN_NUMBER } else { memory.word(member + MEMBER_NUMBER) };
                if number < last {
                    self.return_to(written);
                    return self.emit_in_order(node, first);
                }
                last = number;
            }
            if member != 0 {
                guess = member + MEMBER_NEXT;
            }
            t = self.emit_member(node, member, t);
            end = memory.token(t);
            self.emit(end, end + 1);
            t += 4;
            if memory.u8(end) != b',' {
                return t;
            }
        }
    }

    /// Appends a key, the colon and the value.
    fn emit_member(&mut self, node: Address, member: Address, t: Address) -> Address {
        let memory = self.memory;
        self.emit_key(t);
        let value = memory.skip_blanks(memory.token(t + 8) + 1);
        if member != 0 {
            return self.emit_value(memory.word(member + MEMBER_NODE), t + 12, value);
        }
        if memory.word(node + NODE_KIND) == OBJECT_NODE {
            return self.emit_raw(t + 12, value);
        }
        self.emit_value(memory.word(node + LOCALIZED_OTHER), t + 12, value)
    }

    /// Appends the members by number, then the unknown ones as they come.
    fn emit_in_order(&mut self, node: Address, t: Address) -> Address {
        let memory = self.memory;
        let order = memory.word(node + OBJECT_ORDER);
        let first = t + 4;
        let next = memory.note_order(node, first, order);
        let mut is_first = true;
        self.emit_byte(b'{');
        for number in 0..memory.word(node + OBJECT_MEMBER_COUNT) {
            let found = memory.word(order + number * 4);
            if found == 0 {
                continue;
            }
            if !is_first {
                self.emit_byte(b',');
            }
            is_first = false;
            self.emit_member(node, memory.member_at(node, node + OBJECT_FIRST, found), found);
        }
        self.emit_unknown(node, first, is_first);
        self.emit_byte(b'}');
        next
    }

    fn emit_unknown(&mut self, node: Address, mut t: Address, mut is_first: bool) {
        let memory = self.memory;
        loop {
            if memory.member_at(node, node + OBJECT_FIRST, t) == 0 {
                if !is_first {
                    self.emit_byte(b',');
                }
                is_first = false;
                t = self.emit_member(node, 0, t);
            } else {
                t = memory.skip_member(t);
            }
            let end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                return;
            }
        }
    }
}

impl Memory {
    /// Notes the position in the index of the key of every member; returns the structural character behind the object.
    pub(super) fn note_order(self, node: Address, mut t: Address, order: Address) -> Address {
        self.fill(order, 0, self.word(node + OBJECT_MEMBER_COUNT) * 4);
        let mut guess = node + OBJECT_FIRST;
        loop {
            let member = self.member_at(node, guess, t);
            if member != 0 {
                guess = member + MEMBER_NEXT;
                self.set_word(order + self.word(member + MEMBER_NUMBER) * 4, t);
            }
            t = self.skip_member(t);
            let end = self.token(t);
            t += 4;
            if self.u8(end) != b',' {
                return t;
            }
        }
    }

    /// The member of the key at `t`; 0 if there is none.
    pub(super) fn member_at(self, node: Address, guess: Address, t: Address) -> Address {
        let guessed = self.word(guess);
        let key = self.token(t);
        if self.window(guessed).has_key(self.window(key)) {
            return guessed;
        }
        self.find_member(node, key + 1, self.token(t + 4) - key - 1)
    }

    /// Over a key and its value.
    pub(super) fn skip_member(self, t: Address) -> Address {
        self.skip_value(t + 12, self.skip_blanks(self.token(t + 8) + 1))
    }

    pub(super) fn member_of_number(self, node: Address, number: usize) -> Address {
        self.word(self.word(node + OBJECT_MEMBERS) + number * 4)
    }

    /// The number of the member that a value in place of an object stands for.
    pub(super) fn bare_number(self, node: Address, p: Address) -> usize {
        self.word(
            node + match self.u8(p) {
                b'[' => OBJECT_BARE_LIST_NUMBER,
                b'"' => OBJECT_BARE_TEXT_NUMBER,
                _ => OBJECT_BARE_NUMBER,
            },
        )
    }

    /// The node of the elements of a list behind the special ones.
    pub(super) fn last_element(self, node: Address) -> Address {
        let special = self.word(node + LIST_SPECIAL);
        self.word(self.word(node + LIST_ELEMENTS) + special * ELEMENT_BYTES + ELEMENT_NODE)
    }
}
