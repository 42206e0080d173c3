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

/// A member of an object in the text: its first byte, and the one behind it. All are 0 for one that is not there.
const PIECE_BYTES: usize = 8;

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
        self.write_members(node, t, self.memory.token(t));
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
            (OBJECT_NODE, b'{') => self.write_members(node, t, p),
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

    /// An object without a filled member is nothing. Members are written as they come, then sorted by rank.
    fn write_members(&mut self, node: Address, mut t: Address, p: Address) -> Content {
        let memory = self.memory;
        t += 4;
        if memory.u8(memory.token(t)) == b'}' {
            return nothing(t + 4);
        }
        let begun = self.written();
        let order = memory.word(node + OBJECT_ORDER);
        memory.fill(order, 0, memory.word(node + OBJECT_MEMBER_COUNT) * PIECE_BYTES);
        self.emit(p, p + 1);
        let start = self.end();
        let (mut comma, mut last, mut is_sorted) = (p, 0, true);
        let mut guess = node + OBJECT_FIRST;
        loop {
            let member = memory.member_at(node, guess, t);
            let value = memory.skip_blanks(memory.token(t + 8) + 1);
            let mut rank = 0;
            if member != 0 {
                guess = member + MEMBER_NEXT;
                rank = memory.word(member + MEMBER_RANK);
            }
            if rank == 0 || memory.u8(value) == b'n' {
                t = memory.skip_value(t + 12, value);
            } else {
                let piece = order + (rank - 1) * PIECE_BYTES;
                let comma = if last == 0 { 0 } else { comma };
                let content = self.write_member(memory.word(member + MEMBER_NODE), t, value, piece, comma);
                if content.is_filled {
                    is_sorted &= rank > last;
                    last = rank;
                }
                t = content.behind;
            }
            comma = memory.token(t);
            t += 4;
            if memory.u8(comma) != b',' {
                break;
            }
        }
        if last == 0 {
            self.return_to(begun);
            return nothing(t);
        }
        if !is_sorted {
            self.sort_pieces(start, order, memory.word(node + OBJECT_MEMBER_COUNT));
        }
        self.emit(comma, comma + 1);
        filled(t)
    }

    /// Writes the member whose key is at `t`, behind a comma if there is one, and notes its piece.
    #[inline(always)]
    fn write_member(&mut self, node: Address, t: Address, value: Address, piece: Address, comma: Address) -> Content {
        let written = self.written();
        if comma != 0 {
            self.emit(comma, comma + 1);
        }
        let from = self.end();
        self.emit_key(t);
        let content = self.write_value(node, t + 12, value);
        if content.is_filled {
            self.memory.set_words(piece, [from as u32, self.end() as u32]);
        } else {
            self.return_to(written);
        }
        content
    }

    /// A number, a text, or a list of texts, in place of the object.
    fn write_bare(&mut self, node: Address, t: Address, p: Address) -> Content {
        let memory = self.memory;
        let is_list = memory.u8(p) == b'[';
        if is_list && memory.u8(memory.token(t + 4)) == b']' {
            return nothing(t + 8);
        }
        let member = memory.member_of_number(node, memory.bare_number(node, p));
        if memory.word(member + MEMBER_RANK) == 0 {
            return nothing(memory.skip_value(t, p));
        }
        self.emit_bytes(*b"{\"");
        self.emit(member, member + memory.word(member + NAME_LENGTH) + 2);
        let value = if is_list { memory.word(node + OBJECT_BARE_LIST) } else { memory.word(member + MEMBER_NODE) };
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
        // Elements in all locales are of one kind, also if some fill cells.
        let element = memory.word(node + LOCALIZED_OTHER);
        let begun = self.written();
        let mut is_empty = true;
        for index in 0..count {
            let found = memory.word(order + index * 4);
            let written = self.written();
            self.emit_byte(if is_empty { b'{' } else { b',' });
            self.emit_key(found);
            let value = memory.skip_blanks(memory.token(found + 8) + 1);
            if self.write_value(element, found + 12, value).is_filled {
                is_empty = false;
            } else {
                self.return_to(written);
            }
        }
        if is_empty {
            self.return_to(begun);
            return nothing(behind);
        }
        self.emit_byte(b'}');
        filled(behind)
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
