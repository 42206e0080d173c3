//! Values of no column and no contract: checked to be JSON, and skipped.

use super::Walk;
use crate::memory::{Address, Memory};

/// Deeper values are left to the reference path, which knows how deep is too deep.
const DEEPEST: u32 = 64;

impl Walk {
    /// Returns the structural character behind the value, in the index; 0 if it is no JSON.
    pub(super) fn walk_any(&mut self, t: Address, p: Address, depth: u32) -> Address {
        let memory = self.memory;
        match memory.u8(p) {
            b'"' => self.walk_any_text(t),
            b'{' if depth < DEEPEST => self.walk_any_members(t, p, depth + 1),
            b'[' if depth < DEEPEST => self.walk_any_elements(t, p, depth + 1),
            b'{' | b'[' => 0,
            b'n' => memory.walk_null(t, p),
            b't' | b'f' => {
                let end = memory.boolean_end(p);
                if end == 0 { 0 } else { memory.end_at(t, end) }
            }
            _ => {
                let end = if self.keeps_json {
                    memory.kept_float(p).map_or(0, |float| float.end)
                } else {
                    memory.number_end(p)
                };
                if end == 0 { 0 } else { memory.end_at(t, end) }
            }
        }
    }

    fn walk_any_text(&mut self, t: Address) -> Address {
        let close = self.memory.token(t + 4);
        if self.check_escapes(close) { self.memory.end_at(t + 8, close + 1) } else { 0 }
    }

    fn walk_any_members(&mut self, mut t: Address, p: Address, depth: u32) -> Address {
        let memory = self.memory;
        t += 4;
        if memory.u8(memory.token(t)) == b'}' {
            return memory.walk_close(t, p);
        }
        let first = t;
        let mut end = p;
        loop {
            let key = memory.token(t);
            if memory.u8(key) != b'"'
                || !memory.is_blank(end + 1, key)
                || (self.keeps_json && !self.is_plain_key(first, t))
            {
                return 0;
            }
            t = self.walk_any_text(t);
            if t == 0 || memory.u8(memory.token(t)) != b':' {
                return 0;
            }
            t = self.walk_any(t + 4, memory.skip_blanks(memory.token(t) + 1), depth);
            if t == 0 {
                return 0;
            }
            end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                break;
            }
        }
        if memory.u8(end) == b'}' { memory.end_at(t, end + 1) } else { 0 }
    }

    /// True if JavaScript keeps the key where it is: it is no number, not `__proto__`, and has not come before.
    fn is_plain_key(&self, first: Address, t: Address) -> bool {
        let memory = self.memory;
        let key = memory.token(t);
        let length = memory.token(t + 4) - key;
        let start = memory.u8(key + 1);
        if self.has_escape(memory.token(t + 4)) || start.is_ascii_digit() || start == b'_' {
            return false;
        }
        let mut other = first;
        while other < t {
            let other_key = memory.token(other);
            if memory.token(other + 4) - other_key == length && memory.equal(other_key, key, length) {
                return false;
            }
            // The comma follows the value.
            other = memory.skip_value(other + 12, memory.skip_blanks(memory.token(other + 8) + 1)) + 4;
        }
        true
    }

    fn walk_any_elements(&mut self, mut t: Address, p: Address, depth: u32) -> Address {
        let memory = self.memory;
        if memory.is_empty_list(t, p) {
            return memory.walk_empty_list(t, p);
        }
        t += 4;
        let mut end = p;
        loop {
            t = self.walk_any(t, memory.skip_blanks(end + 1), depth);
            if t == 0 {
                return 0;
            }
            end = memory.token(t);
            t += 4;
            if memory.u8(end) != b',' {
                break;
            }
        }
        if memory.u8(end) == b']' { memory.end_at(t, end + 1) } else { 0 }
    }
}

impl Memory {
    /// The end of a number of JSON; 0 for other values.
    fn number_end(self, p: Address) -> Address {
        let start = p + usize::from(self.u8(p) == b'-');
        let mut end = if self.u8(start) == b'0' { start + 1 } else { self.filled_digits_end(start) };
        if end != 0 && self.u8(end) == b'.' {
            end = self.filled_digits_end(end + 1);
        }
        if end != 0 && self.u8(end) | 0x20 == b'e' {
            let has_sign = matches!(self.u8(end + 1), b'+' | b'-');
            end = self.filled_digits_end(end + 1 + usize::from(has_sign));
        }
        end
    }

    /// Behind the digits; 0 if there is none.
    fn filled_digits_end(self, p: Address) -> Address {
        let end = self.digits_end(p);
        if end == p { 0 } else { end }
    }
}
