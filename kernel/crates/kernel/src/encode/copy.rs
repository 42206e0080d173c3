//! Rows as PostgreSQL's COPY text.

use super::cells::{Cell, Column, Encoded, FLOAT, Refusal, Rows};
use super::scalars::Scalars;
use crate::memory::{Address, Memory, SLACK, fits};
use crate::simd::{Bytes16, Vector};

/// Writes rows between `to` and `limit`.
pub fn encode_copy(memory: Memory, rows: Rows, to: Address, limit: Address) -> Encoded {
    let mut copy = Copy { memory, scalars: Scalars { memory, has_unknown: false } };
    let start = to;
    let mut to = to;
    for row in rows.rows() {
        for column in rows.columns(memory) {
            to = match Cell::read(memory, row + column.offset) {
                None => {
                    if !fits(to, SLACK as u64, limit) {
                        return Err(Refusal::NoRoom);
                    }
                    memory.put(memory.put(to, b'\\'), b'N')
                }
                Some(cell) => {
                    // The most is an element of nothing but backslashes: each is four.
                    if !fits(to, 4 * column.text_bytes(memory, cell) + 4 * SLACK as u64, limit) {
                        return Err(Refusal::NoRoom);
                    }
                    if column.is_list {
                        copy.write_list(to, cell, column)
                    } else if column.is_text() {
                        copy.write_text::<false>(to, cell)
                    } else {
                        copy.write_scalar(to, cell, column)
                    }
                }
            };
            to = memory.put(to, b'\t');
        }
        memory.set_u8(to - 1, b'\n');
    }
    if copy.scalars.has_unknown { Err(Refusal::NotSure) } else { Ok(to - start) }
}

struct Copy {
    memory: Memory,
    scalars: Scalars,
}

impl Copy {
    /// A float's zero keeps its sign.
    #[inline(always)]
    fn write_scalar(&mut self, to: Address, cell: Cell, column: Column) -> Address {
        if column.kind == FLOAT {
            return self.memory.copy_loosely(to, cell.address, cell.length);
        }
        self.scalars.format(to, cell, column)
    }

    /// An array literal: texts are quoted, and none of the other types has a character that would have to be.
    fn write_list(&mut self, to: Address, list: Cell, column: Column) -> Address {
        let memory = self.memory;
        let mut to = memory.put(to, b'{');
        for (index, element) in list.elements().each(memory).enumerate() {
            if index > 0 {
                to = memory.put(to, b',');
            }
            to = match element {
                None => {
                    memory.set_u32(to, u32::from_le_bytes(*b"NULL"));
                    to + 4
                }
                Some(text) if column.is_text() => {
                    let end = self.write_text::<true>(memory.put(to, b'"'), text);
                    memory.put(end, b'"')
                }
                Some(scalar) => self.write_scalar(to, scalar, column),
            };
        }
        memory.put(to, b'}')
    }

    /// Within an element quotes and backslashes have one more backslash before them, which is escaped itself.
    #[inline(always)]
    fn write_text<const IS_ELEMENT: bool>(&mut self, mut to: Address, text: Cell) -> Address {
        let memory = self.memory;
        let Cell { address: from, length } = text;
        let mut at = 0;
        while at < length {
            let bytes = memory.bytes16(from + at);
            let mut special = bytes.le(Bytes16::splat(b'\r')).or(bytes.eq(Bytes16::splat(b'\\')));
            if IS_ELEMENT {
                special = special.or(bytes.eq(Bytes16::splat(b'"')));
            }
            let found = special.mask_of(length - at);
            memory.set_bytes16(to, bytes);
            let plain = if found == 0 { (length - at).min(16) } else { found.trailing_zeros() as usize };
            to += plain;
            at += plain;
            if found != 0 {
                to = self.write_sign::<IS_ELEMENT>(to, memory.u8(from + at));
                at += 1;
            }
        }
        to
    }

    /// Writes a character that may have to be escaped: the control characters up to the carriage return among them.
    #[cold]
    fn write_sign<const IS_ELEMENT: bool>(&mut self, to: Address, sign: u8) -> Address {
        let put_all = |bytes: &[u8]| bytes.iter().fold(to, |to, byte| self.memory.put(to, *byte));
        match sign {
            b'\t' => put_all(b"\\t"),
            b'\n' => put_all(b"\\n"),
            b'\r' => put_all(b"\\r"),
            b'"' => put_all(b"\\\\\""),
            b'\\' if IS_ELEMENT => put_all(b"\\\\\\\\"),
            b'\\' => put_all(b"\\\\"),
            _ => {
                let end = put_all(&[sign]);
                // PostgreSQL can't store NUL: the reference path reports it.
                self.scalars.has_unknown |= sign == 0;
                end
            }
        }
    }
}
