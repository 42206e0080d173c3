//! The walk of one line after the other over the structural index, against the tree that `compileScan` has written.
//!
//! A function for each kind of node gets the node, the next structural character `t` in the index and the address `p` of the
//! value, and returns the structural character behind the value: only white space is between. It returns 0 for a value that is
//! not certainly valid.

mod accepted;
mod any;
mod cells;
mod codes;
mod conditions;
mod filled;
mod json;
mod labelled;
mod lists;
mod names;
mod notes;
mod numbers;
mod objects;
mod picks;
mod text;
mod tokens;
mod values;

use crate::layout::*;
use crate::memory::{Address, Memory};
use json::JsonText;

/// What the walk of a line comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The line is certainly a record that meets its contract, and its cells are written.
    Accepted,
    /// Nothing is written, and the reference path decides.
    Fallback,
    /// There was no room in the region of this header.
    NoRoom(usize),
    /// All lines were walked and accepted.
    Ended,
}

/// What a walk knows between two lines, and while it walks one.
pub struct Walk {
    memory: Memory,
    scope: Address,
    headers: Address,
    /// The header of the region that has no room.
    room_missing: Option<usize>,
    /// Set if values are written as JSON text: values that JavaScript may write in another form are refused, also in unknown fields.
    keeps_json: bool,
    /// The next escape in the list of escapes: strings are walked in order, so none is skipped.
    escapes: Address,
    /// The address that it holds.
    escape: Address,
    /// The beginning of the next line, in the bytes and in the index.
    line_start: Address,
    line_token: Address,
    json: JsonText,
}

impl Walk {
    /// Begins with the first line of a scan.
    pub fn begin(memory: Memory, scope: Address, bytes: Address, index: Address, escapes: Address) -> Self {
        Self {
            memory,
            scope,
            headers: memory.word(scope + SCOPE_HEADERS),
            room_missing: None,
            keeps_json: memory.u32(scope + SCOPE_KEEPS_JSON) != 0,
            escapes,
            escape: memory.token(escapes),
            line_start: bytes,
            line_token: index,
            json: JsonText::default(),
        }
    }

    /// Continues where `save` has left off.
    pub fn restore(memory: Memory, scope: Address) -> Self {
        let [bytes, index, escapes] =
            [SCOPE_NEXT_LINE, SCOPE_NEXT_TOKEN, SCOPE_NEXT_ESCAPE].map(|at| memory.word(scope + at));
        Self::begin(memory, scope, bytes, index, escapes)
    }

    pub fn save(&self) {
        let Self { memory, scope, line_start, line_token, escapes, .. } = *self;
        memory.set_word(scope + SCOPE_NEXT_LINE, line_start);
        memory.set_word(scope + SCOPE_NEXT_TOKEN, line_token);
        memory.set_word(scope + SCOPE_NEXT_ESCAPE, escapes);
    }

    pub fn next_line(&self) -> Address {
        self.line_start
    }

    /// Walks and accepts the lines before `end`. Returns the verdict on the first that has to be applied outside, or `Ended`.
    pub fn walk_lines(&mut self, end: Address) -> Verdict {
        while self.line_start < end {
            let verdict = self.walk_line();
            if verdict != Verdict::Accepted || !self.try_accept() {
                return verdict;
            }
        }
        Verdict::Ended
    }

    /// Walks the next line, which the index holds to its line break. The scope gets the beginning and the end of the line.
    pub fn walk_line(&mut self) -> Verdict {
        let Self { memory, scope, line_start: start, line_token, .. } = *self;
        self.begin_line();
        let t = self.walk_record(line_token, memory.skip_blanks(start));
        if let Some(header) = self.room_missing {
            return Verdict::NoRoom(header);
        }
        let is_accepted = t != 0
            && memory.u8(memory.token(t)) == b'\n'
            && memory.token(t) - start <= memory.word(scope + SCOPE_MAX_LINE_BYTES);
        let line_break = if is_accepted {
            self.write_copies();
            if !self.write_filled() {
                return Verdict::NoRoom(0);
            }
            t
        } else {
            self.roll_back();
            memory.find_line_break(line_token)
        };
        let end = memory.token(line_break);
        self.skip_escapes(end);
        memory.set_word(scope + SCOPE_LINE_START, start);
        memory.set_word(scope + SCOPE_LINE_END, end);
        self.line_start = end + 1;
        self.line_token = line_break + 4;
        if is_accepted { Verdict::Accepted } else { Verdict::Fallback }
    }

    fn walk_record(&mut self, t: Address, p: Address) -> Address {
        let Self { memory, scope, .. } = *self;
        if memory.u8(p) != b'{' || !self.begin_element(memory.word(scope + SCOPE_ROOT), false) {
            return 0;
        }
        let is_envelope = memory.is_envelope(memory.token(t + 4));
        let record = memory.word(scope + if is_envelope { SCOPE_ENVELOPE } else { SCOPE_BARE });
        let escape = self.escapes;
        let end = self.walk_value(record, t, p);
        let id_bytes = memory.word(scope + SCOPE_CELLS + 4);
        // Longer ids, and those that are null, are left to the reference path.
        if end == 0 || id_bytes == 0 || id_bytes > MOST_ID_BYTES {
            return 0;
        }
        if memory.u32(scope + SCOPE_HASHES_CONTENT) == 0 || self.put_content_hash(t, !is_envelope, escape) {
            end
        } else {
            0
        }
    }
}

impl Memory {
    /// True if the first key is `meta` or `result`.
    fn is_envelope(self, key: Address) -> bool {
        const META: u32 = u32::from_le_bytes(*b"meta");
        const RESU: u32 = u32::from_le_bytes(*b"resu");
        const ULT: u32 = u32::from_le_bytes(*b"ult\"");
        match self.u32(key + 1) {
            META => self.u8(key + 5) == b'"',
            RESU => self.u32(key + 4) == ULT,
            _ => false,
        }
    }

    fn find_line_break(self, mut t: Address) -> Address {
        while self.u8(self.token(t)) != b'\n' {
            t += 4;
        }
        t
    }
}
