//! Strings: ranges of bytes of the line, or, if they have escapes, of the arena.

use super::Walk;
use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::simd::{Bytes16, Vector};

impl Walk {
    /// Leaves the escapes of a line that was not walked to its end.
    pub(super) fn skip_escapes(&mut self, until: Address) {
        while self.has_escape(until) {
            self.pass_escape();
        }
    }

    #[inline(always)]
    pub(super) fn has_escape(&self, close: Address) -> bool {
        self.escape < close
    }

    fn pass_escape(&mut self) {
        self.escapes += 4;
        self.escape = self.memory.token(self.escapes);
    }

    #[inline(always)]
    pub(super) fn walk_text(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        let close = memory.window(t).word::<4>();
        if !self.has_escape(close) {
            self.put(node, p + 1, close - p - 1);
        } else if !self.put_unescaped(node, p + 1, close) {
            return 0;
        }
        memory.end_at(t + 8, close + 1)
    }

    pub(super) fn walk_code(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        match memory.u8(p) {
            b'"' => {
                let close = memory.token(t + 4);
                if self.has_escape(close) || !self.put_code(node, p + 1, close - p - 1) {
                    return 0;
                }
                memory.end_at(t + 8, close + 1)
            }
            b'[' if memory.u32(node + CODE_MAY_BE_LIST) == 0 => 0,
            b'[' => self.walk_code_list(node, t, p),
            _ => self.walk_code_number(node, t, p),
        }
    }

    /// A code in digits gets its lost zeros back.
    #[inline(always)]
    pub(super) fn put_code(&mut self, node: Address, address: Address, length: usize) -> bool {
        let memory = self.memory;
        let full_length = memory.word(node + CODE_LENGTH);
        if length >= full_length
            || length == 0
            || memory.u32(node + NODE_TARGET_COUNT) == 0
            || !memory.is_digits(address, length)
        {
            self.put(node, address, length);
            return memory.is_usual_code(address, length, full_length) || self.note_odd_code(node, address, length);
        }
        let to = self.find_arena(full_length);
        if to == 0 {
            return false;
        }
        memory.fill(to, b'0', full_length - length);
        memory.copy(to + full_length - length, address, length);
        self.take_arena(to + full_length);
        self.put(node, to, full_length);
        true
    }

    /// Notes a code of another form; what may be several codes in one text is left to the reference path.
    pub(super) fn note_odd_code(&mut self, node: Address, address: Address, length: usize) -> bool {
        !self.memory.slice(address, length).contains(&b'|') && self.note(node, ODD_CODE_NOTE, address, length)
    }

    /// A text, or the number or boolean that comes in place of it.
    pub(super) fn walk_choice(&mut self, node: Address, t: Address, p: Address) -> Address {
        let memory = self.memory;
        match memory.u8(p) {
            b'"' => {
                let close = memory.token(t + 4);
                if self.has_escape(close) || !self.put_choice(node, p + 1, close - p - 1) {
                    return 0;
                }
                memory.end_at(t + 8, close + 1)
            }
            b't' | b'f' => self.walk_boolean(node, t, p),
            _ => self.walk_float(node, t, p),
        }
    }

    /// A value that the contract does not list is noted.
    #[inline(always)]
    pub(super) fn put_choice(&mut self, node: Address, address: Address, length: usize) -> bool {
        let memory = self.memory;
        self.put(node, address, length);
        let mut value = memory.word(node + CHOICE_VALUES);
        for _ in 0..memory.word(node + CHOICE_VALUE_COUNT) {
            if memory.is_all_of_name(value, address, length) {
                return true;
            }
            value += NAME_BYTES;
        }
        self.note(node, UNKNOWN_VALUE_NOTE, address, length)
    }

    #[inline(never)]
    fn put_unescaped(&mut self, node: Address, mut from: Address, close: Address) -> bool {
        let memory = self.memory;
        if memory.u32(node + NODE_TARGET_COUNT) == 0 {
            return self.check_escapes(close);
        }
        let start = self.find_arena(close - from);
        if start == 0 {
            return false;
        }
        let mut to = start;
        while self.has_escape(close) {
            let escape = self.escape;
            memory.copy(to, from, escape - from);
            to += escape - from;
            let Some(character) = memory.read_escape(escape) else { return false };
            to = memory.write_character(to, character);
            from = escape + memory.escape_bytes(escape);
            self.pass_escape();
        }
        memory.copy(to, from, close - from);
        to += close - from;
        self.take_arena(to);
        self.put(node, start, to - start);
        true
    }

    pub(super) fn check_escapes(&mut self, close: Address) -> bool {
        while self.has_escape(close) {
            if self.memory.read_escape(self.escape).is_none() {
                return false;
            }
            self.pass_escape();
        }
        true
    }
}

impl Memory {
    /// The number of bytes of an escape.
    #[inline(always)]
    pub(super) fn escape_bytes(self, escape: Address) -> usize {
        if self.u8(escape + 1) == b'u' { 6 } else { 2 }
    }

    /// Tests if a code is empty, or has the declared number of digits once its lost zeros are back.
    #[inline(always)]
    pub(super) fn is_usual_code(self, address: Address, length: usize, full_length: usize) -> bool {
        full_length == 0 || length == 0 || (length <= full_length && self.is_digits(address, length))
    }

    pub(super) fn is_digits(self, address: Address, length: usize) -> bool {
        if length <= 16 {
            return self.count_digits(address) >= length;
        }
        self.slice(address, length).iter().all(u8::is_ascii_digit)
    }

    /// The number of digits that follow, up to 16.
    #[inline(always)]
    pub(super) fn count_digits(self, address: Address) -> usize {
        let digits = self.bytes16(address).minus(Bytes16::splat(b'0')).lt(Bytes16::splat(10));
        (digits.bits() ^ 0x1_ffff).trailing_zeros() as usize
    }

    /// The character of an escape; none for an invalid one, for half a character, which needs its other half, and for NUL, which
    /// not every output can hold.
    pub(super) fn read_escape(self, escape: Address) -> Option<u32> {
        Some(match self.u8(escape + 1) {
            byte @ (b'"' | b'\\' | b'/') => u32::from(byte),
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'u' => return self.read_hex(escape + 2),
            _ => return None,
        })
    }

    fn read_hex(self, address: Address) -> Option<u32> {
        let mut character = 0;
        for at in address..address + 4 {
            character = (character << 4) | char::from(self.u8(at)).to_digit(16)?;
        }
        (character & 0xf800 != 0xd800 && character != 0).then_some(character)
    }

    pub(super) fn write_character(self, to: Address, character: u32) -> Address {
        let continued = |shift: u32| 0x80 | ((character >> shift) & 0x3f) as u8;
        if character < 0x80 {
            return self.put(to, character as u8);
        }
        if character < 0x800 {
            return self.put(self.put(to, 0xc0 | (character >> 6) as u8), continued(0));
        }
        self.put(self.put(self.put(to, 0xe0 | (character >> 12) as u8), continued(6)), continued(0))
    }
}
