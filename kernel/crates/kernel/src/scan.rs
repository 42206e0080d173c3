//! The structural index of newline-delimited JSON, as simdjson's first stage makes it: the addresses of quotes, and of
//! `{ } [ ] , :` and line breaks outside strings. 64 bytes a step, the state of strings and escapes carried as bits.

use crate::memory::{Address, Memory};
use crate::simd::{Level, Task, Vector};
use crate::utf8::Utf8Check;

const EVEN: u64 = 0x5555_5555_5555_5555;

/// Bytes of a step.
const STEP: usize = 64;

/// Words of the index behind the last one: the walk looks ahead that far. They point at the space behind the bytes.
const LOOK_AHEAD: usize = 8;

#[derive(Debug, PartialEq)]
pub struct Scanned {
    /// How many bytes, in whole lines, the index holds. That is less than the length if a control character is in a string, which
    /// includes a line that ends in one: neither that line nor one behind it is in the index, and the scan continues where the
    /// next call says.
    pub held: usize,
    /// True if all bytes were UTF-8, up to the step that a control character has ended the scan in.
    pub is_utf8: bool,
}

/// Scans `length` bytes, which 64 spaces follow. Writes the addresses of the structural characters to `index`, and those of the
/// backslashes that begin an escape to `escapes`, as words; both have room for the worst case, and 32 words more.
pub fn scan(memory: Memory, bytes: Address, length: usize, index: Address, escapes: Address) -> Scanned {
    scan_at(Level::widest(), memory, bytes, length, index, escapes)
}

pub fn scan_at(
    level: Level,
    memory: Memory,
    bytes: Address,
    length: usize,
    index: Address,
    escapes: Address,
) -> Scanned {
    level.run(Scan { memory, bytes, length, index, escapes })
}

struct Scan {
    memory: Memory,
    bytes: Address,
    length: usize,
    index: Address,
    escapes: Address,
}

impl Task for Scan {
    type Output = Scanned;

    #[inline(always)]
    fn run<V: Vector>(self) -> Scanned {
        let Self { memory, bytes, length, index, .. } = self;
        let end = bytes + length;
        let mut utf8 = Utf8Check::<V>::new();
        let mut escapes = Escapes { memory, is_carried: 0, out: self.escapes };
        let mut in_string = 0u64;
        let mut out = index;
        let (mut line_end, mut line_out) = (bytes, index);
        let mut p = bytes;
        while p < end {
            let step = memory.vector::<V>(p);
            utf8.add(step);
            let escaped = escapes.add(step, p);
            let quotes = step.eq(V::splat(b'"')).bits() & !escaped;
            // One within a string, its opening quote included.
            let strings = V::prefix_xor(quotes) ^ in_string;
            in_string = ((strings as i64) >> 63) as u64;
            let mut found = (step.is_structural().bits() & !strings) | quotes;
            let controls = step.lt(V::splat(b' '));
            if controls.any() {
                let misplaced = controls.bits() & strings;
                // Everything before it stays, up to the last line break.
                let before = (misplaced & misplaced.wrapping_neg()).wrapping_sub(1);
                let newlines = step.eq(V::splat(b'\n')).bits() & !strings & before;
                found = (found & before) | newlines;
                if newlines != 0 {
                    let last = newlines.ilog2() as usize;
                    line_end = p + last + 1;
                    line_out = out + ((found & ((1u64 << last << 1).wrapping_sub(1))).count_ones() as usize) * 4;
                }
                if misplaced != 0 {
                    V::write_places(memory, found, p, out);
                    break;
                }
            }
            out = V::write_places(memory, found, p, out);
            p += STEP;
        }
        if line_end < end {
            out = line_out;
        }
        for ahead in 0..LOOK_AHEAD {
            memory.set_word(out + ahead * 4, end);
        }
        memory.set_u32(escapes.out, u32::MAX);
        Scanned { held: line_end - bytes, is_utf8: utf8.finish() }
    }
}

/// The backslashes that begin an escape.
struct Escapes {
    memory: Memory,
    /// 1 if the last byte of the step before escapes the first one of the next.
    is_carried: u64,
    out: Address,
}

impl Escapes {
    /// Writes the addresses of a step's, and returns the bits of what they escape.
    #[inline(always)]
    fn add<V: Vector>(&mut self, step: V, p: Address) -> u64 {
        let found = step.eq(V::splat(b'\\'));
        if !found.any() {
            return core::mem::take(&mut self.is_carried);
        }
        // A run of backslashes that begins at an odd place and ends at an even one, or the other way round, escapes what follows.
        let slashes = found.bits();
        let runs = slashes & !self.is_carried;
        let follows = (runs << 1) | self.is_carried;
        let odd_starts = runs & !EVEN & !follows;
        let (sum, overflows) = odd_starts.overflowing_add(runs);
        self.is_carried = u64::from(overflows);
        let escaped = (EVEN ^ (sum << 1)) & follows;
        // A backslash begins an escape unless it is itself escaped.
        let mut starts = slashes & !escaped;
        while starts != 0 {
            self.memory.set_word(self.out, p + starts.trailing_zeros() as usize);
            self.out += 4;
            starts &= starts - 1;
        }
        escaped
    }
}
