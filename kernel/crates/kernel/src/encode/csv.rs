//! Rows as lines of CSV.

use super::cells::{Cell, Column, DECIMAL, Encoded, FLOAT, Refusal, Rows};
use super::scalars::Scalars;
use crate::memory::{Address, Memory, SLACK, fits};
use crate::simd::{Bytes16, Vector};

#[derive(Clone, Copy)]
pub struct CsvDialect {
    pub delimiter: u8,
    pub quote: u8,
    pub list_separator: u8,
    pub quote_all: bool,
    pub escape_formulas: bool,
    pub crlf: bool,
    pub decimal_comma: bool,
}

impl CsvDialect {
    /// `flags` has bits: quote all 1, escape formulas 2, CR and LF 4, decimal comma 8.
    pub fn of_words(delimiter: u32, quote: u32, list_separator: u32, flags: u32) -> Self {
        Self {
            delimiter: delimiter as u8,
            quote: quote as u8,
            list_separator: list_separator as u8,
            quote_all: flags & 1 != 0,
            escape_formulas: flags & 2 != 0,
            crlf: flags & 4 != 0,
            decimal_comma: flags & 8 != 0,
        }
    }
}

/// Writes rows between `to` and `limit`.
pub fn encode_csv(memory: Memory, rows: Rows, to: Address, limit: Address, dialect: CsvDialect) -> Encoded {
    let mut csv = Csv { memory, dialect, scalars: Scalars { memory, has_unknown: false } };
    let start = to;
    let mut to = to;
    for row in rows.rows() {
        for column in rows.columns(memory) {
            if let Some(cell) = Cell::read(memory, row + column.offset) {
                let bytes = column.text_bytes(memory, cell);
                if !fits(to, 4 * bytes + 4 * SLACK as u64, limit) {
                    return Err(Refusal::NoRoom);
                }
                to = if column.is_list {
                    csv.write_list(to, cell, column, limit - 2 * bytes as usize - SLACK)
                } else {
                    csv.write_cell(to, cell, column)
                };
            } else if !fits(to, SLACK as u64, limit) {
                return Err(Refusal::NoRoom);
            }
            to = memory.put(to, dialect.delimiter);
        }
        to = csv.end_line(to - 1);
    }
    if csv.scalars.has_unknown { Err(Refusal::NotSure) } else { Ok(to - start) }
}

struct Csv {
    memory: Memory,
    dialect: CsvDialect,
    scalars: Scalars,
}

impl Csv {
    #[inline(always)]
    fn end_line(&self, to: Address) -> Address {
        let end = if self.dialect.crlf { self.memory.put(to, b'\r') } else { to };
        self.memory.put(end, b'\n')
    }

    #[inline(always)]
    fn write_cell(&mut self, to: Address, cell: Cell, column: Column) -> Address {
        let Self { memory, dialect, .. } = *self;
        if column.is_text() {
            return self.write_text(to, cell.address, cell.length, dialect.escape_formulas);
        }
        if !dialect.quote_all {
            return self.write_scalar(to, cell, column);
        }
        let end = self.write_scalar(memory.put(to, dialect.quote), cell, column);
        memory.put(end, dialect.quote)
    }

    #[inline(always)]
    fn write_scalar(&mut self, to: Address, cell: Cell, column: Column) -> Address {
        let end = self.scalars.format(to, cell, column);
        if self.dialect.decimal_comma && (column.kind == FLOAT || column.kind == DECIMAL) {
            let point = self.memory.slice(to, end - to).iter().position(|byte| *byte == b'.');
            if let Some(index) = point {
                self.memory.set_u8(to + index, b',');
            }
        }
        end
    }

    /// Joins the elements in `scratch`, which has room for twice their text.
    fn write_list(&mut self, to: Address, list: Cell, column: Column, scratch: Address) -> Address {
        let Self { memory, dialect, .. } = *self;
        let mut end = scratch;
        for (index, element) in list.elements().each(memory).enumerate() {
            if index > 0 {
                end = memory.put(end, dialect.list_separator);
            }
            end = match element {
                None => end,
                Some(text) if column.is_text() => self.write_element(end, text),
                Some(scalar) => self.write_scalar(end, scalar, column),
            };
        }
        self.write_text(to, scratch, end - scratch, dialect.escape_formulas && column.is_text())
    }

    /// Writes a backslash before every separator and every backslash.
    fn write_element(&self, mut to: Address, text: Cell) -> Address {
        let memory = self.memory;
        let (separators, backslashes) = (Bytes16::splat(self.dialect.list_separator), Bytes16::splat(b'\\'));
        let Cell { address: from, length } = text;
        let mut at = 0;
        while at < length {
            let bytes = memory.bytes16(from + at);
            let special = bytes.eq(separators).or(bytes.eq(backslashes)).mask_of(length - at);
            memory.set_bytes16(to, bytes);
            let plain = if special == 0 { (length - at).min(16) } else { special.trailing_zeros() as usize };
            to += plain;
            at += plain;
            if special != 0 {
                to = memory.put(memory.put(to, b'\\'), memory.u8(from + at));
                at += 1;
            }
        }
        to
    }

    /// Writes text, in quotes if it needs them: a first pass that copies ends where it finds the reason.
    #[inline(always)]
    fn write_text(&self, to: Address, from: Address, length: usize, may_be_formula: bool) -> Address {
        let Self { memory, dialect: CsvDialect { quote, delimiter, quote_all, .. }, .. } = *self;
        let is_formula = may_be_formula && memory.begins_formula(from, length);
        if quote_all || length == 0 || (is_formula && (quote == b'\'' || delimiter == b'\'')) {
            return self.write_quoted(to, from, length, is_formula);
        }
        let end = if is_formula { memory.put(to, b'\'') } else { to };
        let mut at = 0;
        while at < length {
            let (first, second) = (memory.bytes16(from + at), memory.bytes16(from + at + 16));
            memory.set_bytes16(end + at, first);
            memory.set_bytes16(end + at + 16, second);
            let reasons = self.find_reasons(first).mask_of_two(self.find_reasons(second), length - at);
            if reasons != 0 {
                return self.write_quoted(to, from, length, is_formula);
            }
            at += 32;
        }
        end + length
    }

    /// The bytes for which text has to be quoted.
    #[inline(always)]
    fn find_reasons(&self, bytes: Bytes16) -> Bytes16 {
        let is = |sign: u8| bytes.eq(Bytes16::splat(sign));
        is(self.dialect.delimiter).or(is(self.dialect.quote)).or(is(b'\r').or(is(b'\n')))
    }

    /// Writes text between quotes, every quote in it twice.
    #[inline(never)]
    fn write_quoted(&self, mut to: Address, from: Address, length: usize, is_formula: bool) -> Address {
        let Self { memory, dialect: CsvDialect { quote, .. }, .. } = *self;
        let quotes = Bytes16::splat(quote);
        to = memory.put(to, quote);
        if is_formula {
            to = memory.put(to, b'\'');
            if quote == b'\'' {
                to = memory.put(to, b'\'');
            }
        }
        let mut at = 0;
        while at < length {
            let bytes = memory.bytes16(from + at);
            let found = bytes.eq(quotes).mask_of(length - at);
            memory.set_bytes16(to, bytes);
            let copied = if found == 0 { (length - at).min(16) } else { found.trailing_zeros() as usize + 1 };
            to += copied;
            at += copied;
            if found != 0 {
                to = memory.put(to, quote);
            }
        }
        memory.put(to, quote)
    }
}

impl Memory {
    /// The ASCII and the full-width signs that spreadsheet programs take for the beginning of a formula.
    #[inline(always)]
    fn begins_formula(self, from: Address, length: usize) -> bool {
        if length == 0 {
            return false;
        }
        match self.u8(from) {
            b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' => true,
            0xef => length >= 3 && self.u8(from + 1) == 0xbc && matches!(self.u8(from + 2), 0x9d | 0x8b | 0x8d | 0xa0),
            _ => false,
        }
    }
}
