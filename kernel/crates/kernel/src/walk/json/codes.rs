//! Codes in JSON text: always text, with the zeros that they have lost, several of them joined.

use crate::layout::CODE_LENGTH;
use crate::memory::{Address, Memory};
use crate::walk::Walk;

impl Walk {
    pub(super) fn emit_code(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let is_text = memory.u8(p) == b'"';
        let (from, to) = if is_text { (p + 1, memory.token(t + 4)) } else { (p, memory.whole_end(p)) };
        if is_text && !memory.is_short(node, from, to) {
            self.emit(p, to + 1);
        } else {
            self.emit_byte(b'"');
            self.emit_padded(node, from, to);
            self.emit_byte(b'"');
        }
        if is_text { t + 8 } else { t }
    }

    pub(super) fn emit_code_list(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        if memory.is_empty_list(t, p) {
            self.emit_null();
            return t + 8;
        }
        self.emit_byte(b'"');
        t += 4;
        let mut end = p;
        loop {
            if end != p {
                self.emit_byte(b'|');
            }
            let value = memory.skip_blanks(end + 1);
            if memory.u8(value) == b'"' {
                self.emit_padded(node, value + 1, memory.token(t + 4));
                t += 8;
            } else {
                self.emit_padded(node, value, memory.whole_end(value));
            }
            end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                break;
            }
        }
        self.emit_byte(b'"');
        t
    }

    fn emit_padded(&mut self, node: Address, from: Address, to: Address) {
        if self.memory.is_short(node, from, to) {
            for _ in to - from..self.memory.word(node + CODE_LENGTH) {
                self.emit_byte(b'0');
            }
        }
        self.emit(from, to);
    }
}

impl Memory {
    /// True for digits that have lost zeros.
    fn is_short(self, node: Address, from: Address, to: Address) -> bool {
        to > from && to - from < self.word(node + CODE_LENGTH) && self.is_digits(from, to - from)
    }
}
