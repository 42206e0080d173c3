//! Rows as lines of NDJSON.

use super::cells::{Cell, Column, DATE, DECIMAL, Encoded, FLOAT, JSON, MILLISECONDS, Refusal, Rows, SECONDS, TEXT};
use super::scalars::Scalars;
use crate::memory::{Address, Memory, SLACK, fits};
use crate::simd::{Bytes16, Vector};

/// Writes rows between `to` and `limit`.
pub fn encode_ndjson(memory: Memory, rows: Rows, to: Address, limit: Address) -> Encoded {
    let mut scalars = Scalars { memory, has_unknown: false };
    let start = to;
    let mut to = to;
    for row in rows.rows() {
        for column in rows.columns(memory) {
            let cell = Cell::read(memory, row + column.offset);
            let bytes = cell.map_or(0, |cell| column.text_bytes(memory, cell));
            if !fits(to, 6 * bytes + (column.key_length + 4 * SLACK) as u64, limit) {
                return Err(Refusal::NoRoom);
            }
            to = memory.copy_loosely(to, column.key, column.key_length);
            to = match cell {
                Some(list) if column.is_list => write_list(&mut scalars, to, list, column),
                value => write_value(&mut scalars, to, value, column),
            };
        }
        memory.set_u16(to, u16::from_le_bytes(*b"}\n"));
        to += 2;
    }
    if scalars.has_unknown { Err(Refusal::NotSure) } else { Ok(to - start) }
}

fn write_list(scalars: &mut Scalars, to: Address, list: Cell, column: Column) -> Address {
    let memory = scalars.memory;
    let mut to = memory.put(to, b'[');
    for (index, element) in list.elements().each(memory).enumerate() {
        if index > 0 {
            to = memory.put(to, b',');
        }
        to = write_value(scalars, to, element, column);
    }
    memory.put(to, b']')
}

#[inline(always)]
fn write_value(scalars: &mut Scalars, to: Address, value: Option<Cell>, column: Column) -> Address {
    let memory = scalars.memory;
    let Some(cell) = value else {
        memory.set_u32(to, u32::from_le_bytes(*b"null"));
        return to + 4;
    };
    match column.kind {
        TEXT => write_string(memory, to, cell.address, cell.length),
        JSON => write_json(memory, to, cell.address, cell.length),
        MILLISECONDS | SECONDS | DATE | DECIMAL => {
            let end = scalars.format(memory.put(to, b'"'), cell, column);
            memory.put(end, b'"')
        }
        kind => {
            // The text of an infinity and of what is no number ends in a letter.
            if kind == FLOAT && memory.u8(cell.address + cell.length - 1) > b'9' {
                scalars.has_unknown = true;
            }
            scalars.format(to, cell, column)
        }
    }
}

fn write_string(memory: Memory, to: Address, from: Address, length: usize) -> Address {
    let mut to = memory.put(to, b'"');
    let mut at = 0;
    while at < length {
        let (first, second) = (memory.bytes16(from + at), memory.bytes16(from + at + 16));
        memory.set_bytes16(to, first);
        memory.set_bytes16(to + 16, second);
        let found = find_escaped(first).mask_of_two(find_escaped(second), length - at);
        let plain = if found == 0 { (length - at).min(32) } else { found.trailing_zeros() as usize };
        to += plain;
        at += plain;
        if found != 0 {
            to = write_escape(memory, to, memory.u8(from + at));
            at += 1;
        }
    }
    memory.put(to, b'"')
}

/// The bytes that are written as escapes.
#[inline(always)]
fn find_escaped(bytes: Bytes16) -> Bytes16 {
    let is = |sign: u8| bytes.eq(Bytes16::splat(sign));
    is(b'"').or(is(b'\\')).or(bytes.lt(Bytes16::splat(b' ')))
}

/// Escapes as JSON.stringify does: a letter if JSON has one, else the four hexadecimal digits.
#[cold]
fn write_escape(memory: Memory, to: Address, byte: u8) -> Address {
    let to = memory.put(to, b'\\');
    let letter = match byte {
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        b'"' | b'\\' => byte,
        _ => {
            let digit = byte & 15;
            memory.set_u32(to, u32::from_le_bytes(*b"u000"));
            memory.set_u8(to + 3, b'0' + (byte >> 4));
            return memory.put(to + 4, if digit < 10 { b'0' + digit } else { b'a' + digit - 10 });
        }
    };
    memory.put(to, letter)
}

/// Writes JSON text on one line: a run of line breaks, which occur only between tokens there, becomes a space.
fn write_json(memory: Memory, mut to: Address, from: Address, length: usize) -> Address {
    let mut is_in_run = false;
    let mut at = 0;
    while at < length {
        let bytes = memory.bytes16(from + at);
        let breaks = bytes.eq(Bytes16::splat(b'\r')).or(bytes.eq(Bytes16::splat(b'\n')));
        let found = breaks.mask_of(length - at);
        memory.set_bytes16(to, bytes);
        let plain = if found == 0 { (length - at).min(16) } else { found.trailing_zeros() as usize };
        to += plain;
        at += plain;
        if plain > 0 {
            is_in_run = false;
        }
        if found == 0 {
            continue;
        }
        if !is_in_run {
            to = memory.put(to, b' ');
        }
        is_in_run = true;
        at += 1;
    }
    to
}
