//! Numbers and literals. A number that JavaScript may write in another form is refused: its line is a fallback line.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::numbers::parse_integer;

/// A whole number of up to this many digits is exact, and so is a fraction that is read into a double and written again.
const EXACT_DIGITS: usize = 15;

/// Seconds of up to this many digits are between the years 1 and 9999.
const DIGITS_IN_RANGE: usize = 10;

impl Walk {
    #[inline(always)]
    pub(super) fn walk_integer(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let end = memory.whole_end(p);
        if end != 0 && memory.is_blank(end, memory.token(t)) {
            return if self.put_integer(node, p, end) { t } else { 0 };
        }
        if memory.u8(p) == b'"' { self.walk_quoted_integer(node, t, p) } else { 0 }
    }

    /// A whole number as text.
    fn walk_quoted_integer(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let close = memory.token(t + 4);
        if memory.whole_end(p + 1) == close && self.put_integer(node, p + 1, close) {
            return memory.end_at(t + 8, close + 1);
        }
        0
    }

    #[inline(always)]
    fn put_integer(&mut self, node: Address, p: Address, end: Address) -> bool {
        let memory = self.memory;
        if end - p > DIGITS_IN_RANGE && memory.word(node + NODE_KIND) == TIMESTAMP_NODE {
            let seconds = parse_integer(memory, p, end - p);
            if !(FIRST_SECOND..=LAST_SECOND).contains(&seconds) {
                return false;
            }
        }
        self.put(node, p, end - p);
        true
    }

    pub(super) fn walk_code_number(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let end = memory.whole_end(p);
        if end != 0 && memory.is_blank(end, memory.token(t)) && self.put_code(node, p, end - p) { t } else { 0 }
    }

    pub(super) fn walk_float(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        match memory.kept_float(p) {
            Some(float) if memory.is_blank(float.end, memory.token(t)) && self.put_scalar(node, p, float.kept - p) => t,
            _ => 0,
        }
    }

    /// A number as text.
    pub(super) fn walk_quoted_float(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let close = memory.token(t + 4);
        match memory.kept_float(p + 1) {
            Some(float) if float.end == close => {
                self.put(node, p + 1, float.kept - p - 1);
                memory.end_at(t + 8, close + 1)
            }
            _ => 0,
        }
    }

    pub(super) fn walk_boolean(&mut self, node: Address, t: Address, p: Address) -> Address {
        let end = self.memory.boolean_end(p);
        if end != 0 && self.memory.is_blank(end, self.memory.token(t)) && self.put_scalar(node, p, end - p) {
            t
        } else {
            0
        }
    }

    /// Numbers and booleans may come in place of the text of a choice.
    fn put_scalar(&mut self, node: Address, address: Address, length: usize) -> bool {
        if self.memory.word(node + NODE_KIND) == CHOICE_NODE {
            return self.put_choice(node, address, length);
        }
        self.put(node, address, length);
        true
    }
}

/// A number that JavaScript writes as it is, but for the last zeros of its fraction.
pub(super) struct Float {
    pub end: Address,
    /// Its end without those zeros.
    pub kept: Address,
}

impl Memory {
    /// The end of a whole number; 0 for one that may not be exact, and for other values.
    #[inline(always)]
    pub(super) fn whole_end(self, p: Address) -> Address {
        let start = p + usize::from(self.u8(p) == b'-');
        let digits = self.count_digits(start);
        if digits == 0 || digits > EXACT_DIGITS || (self.u8(start) == b'0' && (digits > 1 || start != p)) {
            return 0;
        }
        start + digits
    }

    pub(super) fn boolean_end(self, p: Address) -> Address {
        const TRUE: u32 = u32::from_le_bytes(*b"true");
        const ALSE: u32 = u32::from_le_bytes(*b"alse");
        if self.u32(p) == TRUE {
            return p + 4;
        }
        if self.u8(p) == b'f' && self.u32(p + 1) == ALSE { p + 5 } else { 0 }
    }

    /// None for a number that JavaScript may write in another form, and for other values.
    pub(super) fn kept_float(self, p: Address) -> Option<Float> {
        let start = p + usize::from(self.u8(p) == b'-');
        let point = self.digits_end(start);
        if point == start || (self.u8(start) == b'0' && point - start > 1) {
            return None;
        }
        let (mut end, mut kept) = (point, point);
        if self.u8(point) == b'.' {
            end = self.digits_end(point + 1);
            if end == point + 1 {
                return None;
            }
            kept = end;
            while self.u8(kept - 1) == b'0' {
                kept -= 1;
            }
            if kept == point + 1 {
                kept = point;
            }
        }
        if kept - start > EXACT_DIGITS {
            return None;
        }
        if self.u8(start) == b'0' {
            let is_minus_zero = kept == point && start != p;
            // JavaScript writes a smaller fraction with an exponent.
            if is_minus_zero || (kept > point + 6 && self.first_non_zero(point + 1) > point + 6) {
                return None;
            }
        }
        Some(Float { end, kept })
    }

    #[inline(always)]
    pub(super) fn digits_end(self, mut p: Address) -> Address {
        while self.u8(p).is_ascii_digit() {
            p += 1;
        }
        p
    }

    fn first_non_zero(self, mut p: Address) -> Address {
        while self.u8(p) == b'0' {
            p += 1;
        }
        p
    }
}
