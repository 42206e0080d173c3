//! JSON text as JSON.stringify writes it, put together from pieces of the line: as long as they follow one another nothing is
//! copied, and what has come of them is a range of the line itself.

use crate::memory::{Address, Bytes, Memory, SLACK};
use crate::walk::Walk;

#[derive(Clone, Copy, Default)]
pub(in crate::walk) struct JsonText {
    /// The escape that was found last, and the first that may be found.
    searched: Address,
    first_searched: Address,
    /// Where the text is so far.
    written: Written,
    /// The beginning of the text in the arena.
    start: Address,
    /// Set if a piece could not be written: there is no room, or JavaScript may write it in another form.
    is_broken: bool,
}

/// How far a text has come, for `return_to`.
#[derive(Clone, Copy, Default)]
pub(super) struct Written {
    /// Pieces that are still to be copied: from one address up to another.
    run_start: Address,
    run_end: Address,
    /// The end of the text in the arena.
    out: Address,
}

impl Walk {
    /// Begins a text whose escapes follow from this one on.
    pub(super) fn begin_json(&mut self, first_escape: Address) {
        let start = self.find_arena(0);
        self.json = JsonText {
            searched: first_escape,
            first_searched: first_escape,
            written: Written { run_start: 0, run_end: 0, out: start },
            start,
            is_broken: start == 0,
        };
    }

    /// Puts the text into the cells of the node; false if it could not be written.
    pub(super) fn end_json(&mut self, node: Address) -> bool {
        let JsonText { written: Written { run_start, run_end, out }, start, is_broken, .. } = self.json;
        if !is_broken && out == start {
            self.put(node, run_start, run_end - run_start);
            return true;
        }
        self.flush();
        if self.json.is_broken {
            return false;
        }
        let end = self.json.written.out;
        self.take_arena(end);
        self.put(node, start, end - start);
        true
    }

    /// The text, whose room is not taken; none if it could not be written.
    pub(super) fn end_text(&mut self) -> Option<Bytes> {
        self.flush();
        let JsonText { written, start, is_broken, .. } = self.json;
        (!is_broken).then_some(Bytes { address: start, length: written.out - start })
    }

    pub(super) fn written(&self) -> Written {
        self.json.written
    }

    /// Takes back all since.
    pub(super) fn return_to(&mut self, written: Written) {
        self.json.written = written;
    }

    /// Where the text ends once all of it is in the arena.
    pub(super) fn end(&self) -> Address {
        let Written { run_start, run_end, out } = self.json.written;
        out + run_end - run_start
    }

    /// Sorts what is written from `start` on: pieces with commas between them, whose ends are in a list by rank.
    pub(super) fn sort_pieces(&mut self, start: Address, list: Address, count: usize) {
        let memory = self.memory;
        self.flush();
        let end = self.json.written.out;
        // Behind the last piece is a comma too.
        if !self.has_room(end.saturating_sub(start) + 1 + SLACK) {
            return;
        }
        let mut to = end;
        for piece in (0..count).map(|index| list + index * 8) {
            let (from, until) = (memory.word(piece), memory.word(piece + 4));
            if until != 0 {
                to = memory.put(memory.copy_loosely(to, from, until - from), b',');
            }
        }
        memory.copy(start, end, end - start);
    }

    /// Has the text be none in the end.
    pub(super) fn break_off(&mut self) {
        self.json.is_broken = true;
    }

    /// Appends bytes of the line.
    #[inline(always)]
    pub(super) fn emit(&mut self, from: Address, to: Address) {
        if from != self.json.written.run_end {
            self.flush();
            self.json.written.run_start = from;
        }
        self.json.written.run_end = to;
    }

    fn flush(&mut self) {
        let Written { run_start, run_end, out } = self.json.written;
        let length = run_end - run_start;
        // Most pieces are short, and copied by the sixteen bytes.
        if length != 0 && self.has_room(length + 16) {
            self.json.written.out = self.memory.copy_loosely(out, run_start, length);
        }
        self.json.written.run_start = 0;
        self.json.written.run_end = 0;
    }

    /// Appends a few bytes that are not in the line.
    #[inline(always)]
    pub(super) fn emit_bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        self.flush();
        if self.has_room(N) {
            for byte in bytes {
                self.json.written.out = self.memory.put(self.json.written.out, byte);
            }
        }
    }

    pub(super) fn emit_byte(&mut self, byte: u8) {
        self.emit_bytes([byte]);
    }

    pub(super) fn emit_null(&mut self) {
        self.emit_bytes(*b"null");
    }

    /// Appends a string of the line from its opening quote up to behind the closing one.
    pub(super) fn emit_text(&mut self, open: Address, close: Address) {
        let memory = self.memory;
        let mut from = open;
        let mut at = self.first_escape_behind(open);
        loop {
            let escape = memory.token(at);
            if escape >= close {
                break;
            }
            at += 4;
            let character = memory.read_escape(escape);
            if memory.is_written_so(escape, character) {
                continue;
            }
            self.emit(from, escape);
            self.emit_character(character);
            from = escape + memory.escape_bytes(escape);
        }
        self.emit(from, close + 1);
    }

    /// The first escape of the list behind an address, searched from the one that was found last.
    fn first_escape_behind(&mut self, address: Address) -> Address {
        let JsonText { mut searched, first_searched, .. } = self.json;
        while searched > first_searched && self.memory.token(searched - 4) > address {
            searched -= 4;
        }
        while self.memory.token(searched) < address {
            searched += 4;
        }
        self.json.searched = searched;
        searched
    }

    fn emit_character(&mut self, character: Option<u32>) {
        let Some(character) = character else { return self.break_off() };
        let letter = match character {
            0x08 => b'b',
            0x09 => b't',
            0x0a => b'n',
            0x0c => b'f',
            0x0d => b'r',
            0x22 => b'"',
            0x5c => b'\\',
            0..0x20 => {
                let digit = |value: u32| char::from_digit(value, 16).map_or(0, |digit| digit as u8);
                return self.emit_bytes([b'\\', b'u', b'0', b'0', digit(character >> 4), digit(character & 15)]);
            }
            _ => {
                self.flush();
                if self.has_room(8) {
                    self.json.written.out = self.memory.write_character(self.json.written.out, character);
                }
                return;
            }
        };
        self.emit_bytes([b'\\', letter]);
    }

    /// Appends the key of the line at a structural character, and the colon.
    #[inline(always)]
    pub(super) fn emit_key(&mut self, t: Address) {
        let colon = self.memory.token(t + 8);
        self.emit(self.memory.token(t), self.memory.token(t + 4) + 1);
        self.emit(colon, colon + 1);
    }

    /// Appends a number, `true`, `false` or `null` that the walk has passed.
    pub(super) fn emit_scalar(&mut self, p: Address) {
        match self.memory.u8(p) {
            b'n' | b't' => self.emit(p, p + 4),
            b'f' => self.emit(p, p + 5),
            _ => self.emit_number(p),
        }
    }

    pub(super) fn emit_number(&mut self, p: Address) {
        match self.memory.kept_float(p) {
            Some(float) => self.emit(p, float.kept),
            None => self.break_off(),
        }
    }

    fn has_room(&mut self, length: usize) -> bool {
        let JsonText { written, start, is_broken, .. } = self.json;
        // The arena's `next` stays where it was until the text is whole.
        if !is_broken && self.find_arena(written.out - start + length) == 0 {
            self.json.is_broken = true;
        }
        !self.json.is_broken
    }
}

impl Memory {
    /// True if JSON.stringify writes the character as this escape.
    fn is_written_so(self, escape: Address, character: Option<u32>) -> bool {
        if self.u8(escape + 1) != b'u' {
            return character != Some(u32::from(b'/'));
        }
        match character {
            Some(0x08 | 0x09 | 0x0a | 0x0c | 0x0d) => false,
            // Its hexadecimal letters are small.
            None | Some(0..0x20) => !matches!(self.u8(escape + 5), b'A'..=b'F'),
            _ => false,
        }
    }
}
