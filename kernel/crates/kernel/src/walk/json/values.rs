//! JSON text of values in canonical form, as the contract's schema gives it: members in the order of the contract and unknown ones
//! behind them, codes as padded text, a single element as a list. Only values that the walk has passed come here.

use crate::layout::*;
use crate::memory::Address;
use crate::walk::Walk;

impl Walk {
    /// Puts the JSON text of an object, a list or a localized value into its cells; its first escape is given.
    pub(in crate::walk) fn put_json(&mut self, node: Address, t: Address, p: Address, first_escape: Address) -> bool {
        let memory = self.memory;
        self.begin_json(first_escape);
        if memory.word(node + NODE_KIND) == OBJECT_NODE && memory.u32(node + OBJECT_IS_DELIVERED) != 0 {
            self.emit_raw(t, p);
        } else {
            self.emit_value(node, t, p);
        }
        self.end_json(node)
    }

    /// Appends the value; returns the structural character behind it.
    pub(super) fn emit_value(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let first = memory.u8(p);
        match (memory.word(node + NODE_KIND), first) {
            (_, b'n') => {
                self.emit(p, p + 4);
                t
            }
            (REQUIRED_TEXT_NODE, _) | (TEXT_NODE | LOOSE_NODE | CHOICE_NODE | LABELLED_NODE, b'"') => {
                self.emit_string(t)
            }
            (CODE_NODE, b'[') => self.emit_code_list(node, t, p),
            (CODE_NODE, _) => self.emit_code(node, t, p),
            (INTEGER_NODE | TIMESTAMP_NODE | FLOAT_NODE, _) => self.emit_whole_number(t, p),
            (BOOLEAN_NODE, _) => {
                self.emit_scalar(p);
                t
            }
            (LABELLED_NODE, b'{') => self.emit_labelled(t, p),
            (TEXT_NODE | LOOSE_NODE | CHOICE_NODE | LABELLED_NODE, _) => {
                self.emit_as_text(p);
                t
            }
            (OBJECT_NODE | LOCALIZED_NODE, b'{') => self.emit_members(node, t, p),
            (OBJECT_NODE, _) => self.emit_bare(node, t, p),
            (LOCALIZED_NODE, _) => self.emit_plain(node, t, p),
            (LIST_NODE, _) => self.emit_list(node, t, p),
            _ => self.emit_raw(t, p),
        }
    }

    /// Appends a number, which may come as text.
    pub(super) fn emit_whole_number(&mut self, t: Address, p: Address) -> Address {
        if self.memory.u8(p) == b'"' {
            self.emit_number(p + 1);
            return t + 8;
        }
        self.emit_number(p);
        t
    }

    /// The text of an object with a label.
    fn emit_labelled(&mut self, t: Address, p: Address) -> Address {
        let Some(labelled) = self.memory.pass_labelled(t, p) else {
            self.break_off();
            return t;
        };
        if labelled.shown == 0 {
            self.emit_null();
        } else {
            self.emit_string(labelled.shown);
        }
        labelled.next
    }

    /// A number or a boolean where text is expected.
    pub(super) fn emit_as_text(&mut self, p: Address) {
        self.emit_byte(b'"');
        self.emit_scalar(p);
        self.emit_byte(b'"');
    }

    /// The id of an object, a text, or a list of texts, in place of the object. An empty list is an empty object.
    fn emit_bare(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        let is_list = memory.u8(p) == b'[';
        self.emit_byte(b'{');
        if is_list && memory.u8(memory.token(t + 4)) == b']' {
            t += 8;
        } else {
            let member = memory.member_of_number(node, memory.bare_number(node, p));
            self.emit_byte(b'"');
            // The name is followed by its quote and the colon.
            self.emit(member, member + memory.word(member + NAME_LENGTH) + 2);
            let value = if is_list { memory.word(node + OBJECT_BARE_LIST) } else { memory.word(member + MEMBER_NODE) };
            t = self.emit_value(value, t, p);
        }
        self.emit_byte(b'}');
        t
    }

    /// Text without a locale; an empty list is how some encoders write an empty object.
    fn emit_plain(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        self.emit_byte(b'{');
        if self.memory.u8(p) == b'"' {
            self.emit_bytes(*b"\"*\":");
            t = self.emit_value(self.memory.word(node + LOCALIZED_OTHER), t, p);
        } else {
            t += 8;
        }
        self.emit_byte(b'}');
        t
    }

    /// All elements are of the same kind, also if the first ones fill other cells.
    fn emit_list(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        let element = memory.last_element(node);
        if memory.u8(p) != b'[' {
            self.emit_byte(b'[');
            t = self.emit_value(element, t, p);
            self.emit_byte(b']');
            return t;
        }
        self.emit(p, p + 1);
        if memory.is_empty_list(t, p) {
            let close = memory.token(t + 4);
            self.emit(close, close + 1);
            return t + 8;
        }
        t += 4;
        let mut end = p;
        loop {
            t = self.emit_value(element, t, memory.skip_blanks(end + 1));
            end = memory.token(t);
            self.emit(end, end + 1);
            t += 4;
            if memory.u8(end) != b',' {
                return t;
            }
        }
    }
}
