//! Values that are neither text nor json.

use super::cells::{Cell, Column, DATE, DECIMAL, FLOAT, MILLISECONDS, SECONDS};
use super::times::{format_date, format_timestamp, is_date_time, is_day};
use crate::memory::{Address, Memory};
use crate::numbers::parse_integer;

/// Writes values as CSV and NDJSON show them.
pub(super) struct Scalars {
    pub memory: Memory,
    /// Set at a value that only the reference path can write: the bytes written so far are dropped.
    pub has_unknown: bool,
}

impl Scalars {
    /// Writes a value and returns the end; up to 16 bytes behind it are overwritten.
    #[inline(always)]
    pub fn format(&mut self, to: Address, cell: Cell, column: Column) -> Address {
        let memory = self.memory;
        let Cell { address, length } = cell;
        match column.kind {
            FLOAT if memory.is_minus_zero(address, length) => memory.put(to, b'0'),
            MILLISECONDS => {
                let milliseconds = parse_integer(memory, address, length);
                let seconds = milliseconds.div_euclid(1000);
                self.format_moment(to, seconds, milliseconds.rem_euclid(1000))
            }
            SECONDS => self.format_moment(to, parse_integer(memory, address, length), 0),
            DATE => self.format_day(to, parse_integer(memory, address, length)),
            DECIMAL => memory.format_decimal(to, address, length, column.scale),
            _ => memory.copy_loosely(to, address, length),
        }
    }

    fn format_moment(&mut self, to: Address, seconds: i64, milliseconds: i64) -> Address {
        if is_date_time(seconds.wrapping_mul(1000).wrapping_add(milliseconds)) {
            return format_timestamp(self.memory, to, seconds, milliseconds as u32);
        }
        self.has_unknown = true;
        to
    }

    fn format_day(&mut self, to: Address, days: i64) -> Address {
        if is_day(days) {
            return format_date(self.memory, to, days as i32);
        }
        self.has_unknown = true;
        to
    }
}

impl Memory {
    /// True for the only float whose text is not what JavaScript prints: a record batch keeps its sign.
    #[inline(always)]
    pub(crate) fn is_minus_zero(self, address: Address, length: usize) -> bool {
        length == 2 && self.u16(address) == u16::from_le_bytes(*b"-0")
    }

    /// Exactly `scale` digits behind the point, at least one before it.
    fn format_decimal(self, mut to: Address, mut address: Address, mut length: usize, scale: usize) -> Address {
        if scale == 0 {
            return self.copy_loosely(to, address, length);
        }
        if self.u8(address) == b'-' {
            to = self.put(to, b'-');
            address += 1;
            length -= 1;
        }
        if length <= scale {
            to = self.put(self.put(to, b'0'), b'.');
            self.fill(to, b'0', scale - length);
            return self.copy_loosely(to + scale - length, address, length);
        }
        to = self.put(self.copy_loosely(to, address, length - scale), b'.');
        self.copy_loosely(to, address + length - scale, scale)
    }
}
