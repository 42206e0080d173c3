//! The canonical text of a record's content, which its hash is made of: src/records/flatten/content-hash.ts says what that is. Only records
//! that the walk has passed come here.

use crate::encode::cells::NULL_LENGTH;
use crate::layout::*;
use crate::memory::{Address, Bytes, Memory};
use crate::walk::Walk;

/// What a value has come to.
struct Content {
    /// False, with nothing appended, if there is none.
    is_filled: bool,
    /// The structural character behind the value.
    behind: Address,
}

fn filled(behind: Address) -> Content {
    Content { is_filled: true, behind }
}

fn nothing(behind: Address) -> Content {
    Content { is_filled: false, behind }
}

impl Walk {
    /// Writes the content of a record, behind the version in a cell that is not null; none if that can't be done. The text is lost
    /// when the arena is used again.
    pub(super) fn write_content(
        &mut self,
        node: Address,
        t: Address,
        first_escape: Address,
        version: Address,
    ) -> Option<Bytes> {
        self.begin_json(first_escape);
        self.write_version(version);
        self.write_members(node, t);
        self.end_text()
    }

    fn write_version(&mut self, cell: Address) {
        let (address, length) = (self.memory.word(cell), self.memory.u32(cell + 4));
        if length != NULL_LENGTH {
            self.emit(address, address + length as usize);
            self.emit_byte(b' ');
        }
    }

    fn write_value(&mut self, node: Address, t: Address, p: Address) -> Content {
        let memory = self.memory;
        match (memory.word(node + NODE_KIND), memory.u8(p)) {
            (_, b'n') => nothing(t),
            (REQUIRED_TEXT_NODE, _) | (LABELLED_NODE | TEXT_NODE | LOOSE_NODE | CHOICE_NODE, b'"') => {
                filled(self.emit_string(t))
            }
            (CODE_NODE, b'[') if memory.is_empty_list(t, p) => nothing(t + 8),
            (CODE_NODE, b'[') => filled(self.emit_code_list(node, t, p)),
            (CODE_NODE, _) => filled(self.emit_code(node, t, p)),
            (LABELLED_NODE, b'{') => self.write_labelled(t, p),
            (LABELLED_NODE | TEXT_NODE | LOOSE_NODE | CHOICE_NODE, _) => {
                self.emit_as_text(p);
                filled(t)
            }
            (INTEGER_NODE | TIMESTAMP_NODE | FLOAT_NODE, b'"') => filled(self.emit_whole_number(t, p)),
            (OBJECT_NODE, b'{') => self.write_members(node, t),
            (OBJECT_NODE, _) => self.write_bare(node, t, p),
            (LOCALIZED_NODE, b'{') => self.write_locales(node, t),
            (LOCALIZED_NODE, _) => self.write_plain(node, t, p),
            (LIST_NODE, _) => self.write_list(node, t, p),
            _ => {
                self.emit_scalar(p);
                filled(t)
            }
        }
    }

    fn write_labelled(&mut self, t: Address, p: Address) -> Content {
        match self.memory.pass_labelled(t, p) {
            Some(labelled) if labelled.shown != 0 => {
                self.emit_string(labelled.shown);
                filled(labelled.next)
            }
            Some(labelled) => nothing(labelled.next),
            None => {
                self.break_off();
                nothing(t)
            }
        }
    }

    /// An object without a filled member is nothing.
    fn write_members(&mut self, node: Address, t: Address) -> Content {
        let memory = self.memory;
        if memory.u8(memory.token(t + 4)) == b'}' {
            return nothing(t + 8);
        }
        let order = memory.word(node + OBJECT_ORDER);
        let behind = memory.note_order(node, t + 4, order);
        let begun = self.written();
        let mut is_empty = true;
        let entries = memory.word(node + OBJECT_CONTENT);
        for index in 0..memory.word(node + OBJECT_CONTENT_COUNT) {
            let entry = entries + index * CONTENT_BYTES;
            let number = memory.word(entry + CONTENT_NUMBER);
            let found = memory.word(order + number * 4);
            if found == 0 {
                continue;
            }
            let value = memory.skip_blanks(memory.token(found + 8) + 1);
            if memory.u8(value) == b'n' {
                continue;
            }
            let written = self.written();
            self.write_key(entry, is_empty);
            let member = memory.member_of_number(node, number);
            if self.write_value(memory.word(member + MEMBER_NODE), found + 12, value).is_filled {
                is_empty = false;
            } else {
                self.return_to(written);
            }
        }
        self.close(begun, is_empty, behind)
    }

    /// Ends an object, or takes back all of one that has nothing in it.
    fn close(&mut self, begun: super::text::Written, is_empty: bool, behind: Address) -> Content {
        if is_empty {
            self.return_to(begun);
            return nothing(behind);
        }
        self.emit_byte(b'}');
        filled(behind)
    }

    /// Keys have the comma before them; the first has the brace.
    fn write_key(&mut self, entry: Address, is_first: bool) {
        let key = self.memory.word(entry + CONTENT_KEY);
        if is_first {
            self.emit_byte(b'{');
        }
        self.emit(key + usize::from(is_first), key + self.memory.word(entry + CONTENT_KEY_LENGTH));
    }

    /// A number, a text, or a list of texts, in place of the object.
    fn write_bare(&mut self, node: Address, t: Address, p: Address) -> Content {
        let memory = self.memory;
        let is_list = memory.u8(p) == b'[';
        if is_list && memory.u8(memory.token(t + 4)) == b']' {
            return nothing(t + 8);
        }
        let number = memory.bare_number(node, p);
        let entries = memory.word(node + OBJECT_CONTENT);
        let entry = (0..memory.word(node + OBJECT_CONTENT_COUNT))
            .map(|index| entries + index * CONTENT_BYTES)
            .find(|entry| memory.word(entry + CONTENT_NUMBER) == number);
        let Some(entry) = entry else { return nothing(memory.skip_value(t, p)) };
        self.write_key(entry, true);
        let value = if is_list {
            memory.word(node + OBJECT_BARE_LIST)
        } else {
            memory.word(memory.member_of_number(node, number) + MEMBER_NODE)
        };
        let Content { behind, .. } = self.write_value(value, t, p);
        self.emit_byte(b'}');
        filled(behind)
    }

    /// Text without a locale; an empty list is how some encoders write an empty object.
    fn write_plain(&mut self, node: Address, t: Address, p: Address) -> Content {
        if self.memory.u8(p) != b'"' {
            return nothing(t + 8);
        }
        self.emit_bytes(*b"{\"*\":");
        let Content { behind, .. } = self.write_value(self.memory.word(node + LOCALIZED_OTHER), t, p);
        self.emit_byte(b'}');
        filled(behind)
    }

    /// By locale, in the order of their texts.
    fn write_locales(&mut self, node: Address, t: Address) -> Content {
        let memory = self.memory;
        if memory.u8(memory.token(t + 4)) == b'}' {
            return nothing(t + 8);
        }
        let order = memory.word(node + OBJECT_ORDER);
        let (count, behind) = self.sort_locales(order, t + 4);
        let begun = self.written();
        let mut is_empty = true;
        for index in 0..count {
            let found = memory.word(order + index * 4);
            let written = self.written();
            self.emit_byte(if is_empty { b'{' } else { b',' });
            self.emit(memory.token(found), memory.token(found + 4) + 1);
            self.emit_byte(b':');
            let member = memory.member_at(node, node + OBJECT_FIRST, found);
            let element = memory.word(if member == 0 { node + LOCALIZED_OTHER } else { member + MEMBER_NODE });
            let value = memory.skip_blanks(memory.token(found + 8) + 1);
            if self.write_value(element, found + 12, value).is_filled {
                is_empty = false;
            } else {
                self.return_to(written);
            }
        }
        self.close(begun, is_empty, behind)
    }

    /// Notes the keys of an object in their order; how many there are, and the structural character behind it. They differ, and have
    /// no escapes.
    fn sort_locales(&mut self, order: Address, mut t: Address) -> (usize, Address) {
        let memory = self.memory;
        let mut count = 0;
        loop {
            let key = memory.token(t);
            // JavaScript compares characters beyond ASCII by their halves.
            if count == MOST_CONTENT_LOCALES || !memory.slice(key, memory.token(t + 4) - key).is_ascii() {
                self.break_off();
                count = 0;
            }
            let mut slot = order + count * 4;
            while slot > order && memory.comes_before(key, memory.token(memory.word(slot - 4))) {
                memory.set_u32(slot, memory.u32(slot - 4));
                slot -= 4;
            }
            memory.set_word(slot, t);
            count += 1;
            t = memory.skip_member(t);
            let end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                return (count, t);
            }
        }
    }

    /// Elements keep their places; one that is not in a list is a list of one.
    fn write_list(&mut self, node: Address, mut t: Address, p: Address) -> Content {
        let memory = self.memory;
        let element = memory.last_element(node);
        self.emit_byte(b'[');
        if memory.u8(p) != b'[' {
            t = self.write_element(element, t, p);
        } else if memory.is_empty_list(t, p) {
            t += 8;
        } else {
            t += 4;
            let mut end = p;
            loop {
                if end != p {
                    self.emit_byte(b',');
                }
                t = self.write_element(element, t, memory.skip_blanks(end + 1));
                end = memory.token(t);
                t += 4;
                if memory.u8(end) != b',' {
                    break;
                }
            }
        }
        self.emit_byte(b']');
        filled(t)
    }

    fn write_element(&mut self, node: Address, t: Address, p: Address) -> Address {
        let Content { is_filled, behind } = self.write_value(node, t, p);
        if !is_filled {
            if self.memory.u8(p) == b'n' || self.memory.word(node + NODE_KIND) == CODE_NODE {
                self.emit_null();
            } else {
                self.emit_bytes(*b"{}");
            }
        }
        behind
    }
}

impl Memory {
    /// Compares two keys from their opening quotes; they differ at their closing ones at the latest.
    fn comes_before(self, mut key: Address, mut other: Address) -> bool {
        loop {
            key += 1;
            other += 1;
            if self.u8(key) != self.u8(other) {
                return self.u8(key) < self.u8(other);
            }
        }
    }
}
