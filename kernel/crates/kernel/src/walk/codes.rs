//! Several codes where one is expected: they are joined.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory};

const SEPARATOR: u8 = b'|';

impl Walk {
    /// A list of codes, in digits padded one by one, joined by `|`; an empty one is null. One with a `|` is refused.
    pub(super) fn walk_code_list(&mut self, node: Address, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        if memory.is_empty_list(t, p) {
            return memory.walk_empty_list(t, p);
        }
        t += 4;
        let full_length = memory.word(node + CODE_LENGTH);
        let start = self.find_arena(0);
        let mut to = start;
        let mut end = p;
        loop {
            if end != p {
                to = memory.put(to, SEPARATOR);
            }
            let value = memory.skip_blanks(end + 1);
            let is_text = memory.u8(value) == b'"';
            let (first, last) =
                if is_text { (value + 1, memory.token(t + 4)) } else { (value, memory.whole_end(value)) };
            if last == 0
                || (is_text && (self.has_escape(last) || memory.slice(first, last - first).contains(&SEPARATOR)))
            {
                return 0;
            }
            if !memory.is_usual_code(first, last - first, full_length) && !self.note_odd_code(node, first, last - first)
            {
                return 0;
            }
            self.take_arena(to);
            to = self.write_padded(first, last - first, full_length);
            if to == 0 {
                return 0;
            }
            if is_text {
                t += 8;
            }
            if memory.end_at(t, last + usize::from(is_text)) == 0 {
                return 0;
            }
            end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                break;
            }
        }
        if memory.u8(end) != b']' {
            return 0;
        }
        self.take_arena(to);
        self.put(node, start, to - start);
        memory.end_at(t, end + 1)
    }

    /// Writes a code to the arena, with room for a separator behind; returns its end, 0 if there is no room.
    fn write_padded(&mut self, address: Address, length: usize, full_length: usize) -> Address {
        let memory = self.memory;
        let mut to = self.find_arena(length + full_length + 1);
        if to == 0 {
            return 0;
        }
        if length > 0 && length < full_length && memory.is_digits(address, length) {
            memory.fill(to, b'0', full_length - length);
            to += full_length - length;
        }
        memory.copy(to, address, length);
        to + length
    }
}

impl Memory {
    /// True for a list without elements: numbers in a list are not in the index.
    pub(super) fn is_empty_list(self, t: Address, p: Address) -> bool {
        let close = self.token(t + 4);
        self.u8(close) == b']' && self.is_blank(p + 1, close)
    }
}
