//! The structural index of newline-delimited JSON, as simdjson's first stage makes it: the addresses of quotes, and of
//! `{ } [ ] , :` and line breaks outside strings. 64 bytes a step, the state of strings and escapes carried as bits.

use crate::memory::{Address, Memory};
use crate::simd::Bytes16;

const EVEN: u64 = 0x5555_5555_5555_5555;

/// Words of the index behind the last one: the walk looks ahead that far. They point at the space behind the bytes.
const LOOK_AHEAD: usize = 8;

/// Scans `length` bytes, which 64 spaces follow. Writes the addresses of the structural characters to `index`, and those of the
/// backslashes that begin an escape to `escapes`, as words; both have room for the worst case.
///
/// Returns how many bytes, in whole lines, the index holds. That is less than `length` if a control character is in a string,
/// which includes a line that ends in one: neither that line nor one behind it is in the index, and the scan continues where the
/// next call says.
pub fn scan(memory: Memory, bytes: Address, length: usize, index: Address, escapes: Address) -> usize {
    let (quote, backslash, space) = (Bytes16::splat(b'"'), Bytes16::splat(b'\\'), Bytes16::splat(b' '));
    let newline = Bytes16::splat(b'\n');
    let end = bytes + length;
    let (mut in_string, mut carried_escape) = (0u64, 0u64);
    let (mut out, mut escape_out) = (index, escapes);
    let (mut line_end, mut line_out) = (bytes, index);
    let mut p = bytes;
    while p < end {
        let [a, b, c, d] = [0, 16, 32, 48].map(|offset| memory.bytes16(p + offset));
        let mut escaped = carried_escape;
        let [sa, sb, sc, sd] = [a, b, c, d].map(|each| each.eq(backslash));
        if sa.or(sb).or(sc.or(sd)).any() {
            // A run of backslashes that begins at an odd place and ends at an even one, or the other way round, escapes what follows.
            let slashes = Bytes16::bits_of_four(sa, sb, sc, sd);
            let runs = slashes & !carried_escape;
            let follows = (runs << 1) | carried_escape;
            let odd_starts = runs & !EVEN & !follows;
            let (sum, overflows) = odd_starts.overflowing_add(runs);
            carried_escape = u64::from(overflows);
            escaped = (EVEN ^ (sum << 1)) & follows;
            // A backslash begins an escape unless it is itself escaped.
            let mut starts = slashes & !escaped;
            while starts != 0 {
                memory.set_word(escape_out, p + starts.trailing_zeros() as usize);
                escape_out += 4;
                starts &= starts - 1;
            }
        } else {
            carried_escape = 0;
        }
        let quotes = Bytes16::bits_of_four(a.eq(quote), b.eq(quote), c.eq(quote), d.eq(quote)) & !escaped;
        let strings = prefix_xor(quotes) ^ in_string;
        in_string = ((strings as i64) >> 63) as u64;
        let mut found =
            Bytes16::bits_of_four(a.is_structural(), b.is_structural(), c.is_structural(), d.is_structural());
        found = (found & !strings) | quotes;
        if a.min(b).min(c.min(d)).lt(space).any() {
            let controls = Bytes16::bits_of_four(a.lt(space), b.lt(space), c.lt(space), d.lt(space));
            let mut newlines =
                Bytes16::bits_of_four(a.eq(newline), b.eq(newline), c.eq(newline), d.eq(newline)) & !strings;
            let misplaced = controls & strings;
            if misplaced != 0 {
                // Everything before it stays, up to the last line break.
                let before = (misplaced & misplaced.wrapping_neg()) - 1;
                newlines &= before;
                found &= before;
            }
            found |= newlines;
            if newlines != 0 {
                let last = newlines.ilog2() as usize;
                line_end = p + last + 1;
                line_out = out + ((found & ((1u64 << last << 1).wrapping_sub(1))).count_ones() as usize) * 4;
            }
            if misplaced != 0 {
                write_addresses(memory, found, p, out);
                out = line_out;
                break;
            }
        }
        out = write_addresses(memory, found, p, out);
        p += 64;
    }
    if line_end < end {
        out = line_out;
    }
    for ahead in 0..LOOK_AHEAD {
        memory.set_word(out + ahead * 4, end);
    }
    memory.set_u32(escape_out, u32::MAX);
    line_end - bytes
}

/// Addresses are written eight at a time, even if fewer are found: the next ones overwrite the rest.
#[inline(always)]
fn write_addresses(memory: Memory, mut found: u64, p: Address, out: Address) -> Address {
    let count = found.count_ones() as usize;
    let mut written = 0;
    loop {
        let mut addresses = [0; 8];
        for address in &mut addresses {
            *address = p as u32 + found.trailing_zeros();
            found &= found.wrapping_sub(1);
        }
        memory.set_words(out + written * 4, addresses);
        written += 8;
        if written >= count {
            return out + count * 4;
        }
    }
}

/// Every bit becomes the parity of those up to it: one within a string, its opening quote included.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}
