//! Numbers as JSON, JavaScript or canonical cells write them.

use crate::memory::{Address, Memory};

/// Up to this power of ten a float is exact.
const EXACT_POWER: i32 = 22;
const EXACT_INTEGER: u64 = 1 << 53;

/// The nearest float of a number: one division or product of two exact floats if that is exact, else by the standard library.
pub fn parse_float(memory: Memory, address: Address, length: usize) -> f64 {
    let end = address + length;
    let is_negative = memory.u8(address) == b'-';
    let mut at = address + usize::from(is_negative);
    let whole_end = skip_digits(memory, at, end);
    let mut mantissa = parse_digits(memory, at, whole_end);
    let mut digits = whole_end - at;
    let mut power = 0i32;
    at = whole_end;
    if at < end && memory.u8(at) == b'.' {
        let fraction_end = skip_digits(memory, at + 1, end);
        at += 1;
        while at < fraction_end {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(memory.u8(at) - b'0'));
            power -= 1;
            digits += 1;
            at += 1;
        }
    }
    if at < end && memory.u8(at) | 0x20 == b'e' {
        let sign = memory.u8(at + 1);
        let from = if sign == b'-' || sign == b'+' { at + 2 } else { at + 1 };
        at = skip_digits(memory, from, end);
        if at - from > 3 {
            return parse_slowly(memory, address, length);
        }
        let exponent = parse_digits(memory, from, at) as i32;
        power += if sign == b'-' { -exponent } else { exponent };
    }
    if at < end || digits == 0 || digits > 19 || mantissa > EXACT_INTEGER || power.abs() > EXACT_POWER {
        return parse_slowly(memory, address, length);
    }
    let magnitude = if power < 0 { mantissa as f64 / ten_to_the(-power) } else { mantissa as f64 * ten_to_the(power) };
    if is_negative { -magnitude } else { magnitude }
}

#[cold]
fn parse_slowly(memory: Memory, address: Address, length: usize) -> f64 {
    core::str::from_utf8(memory.slice(address, length)).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

fn skip_digits(memory: Memory, mut at: Address, end: Address) -> Address {
    while at < end && memory.u8(at).is_ascii_digit() {
        at += 1;
    }
    at
}

fn ten_to_the(power: i32) -> f64 {
    const POWERS: [f64; EXACT_POWER as usize + 1] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ];
    POWERS[power as usize]
}

/// The integer of canonical digits: exact up to 18 of them.
#[inline(always)]
pub fn parse_integer(memory: Memory, address: Address, length: usize) -> i64 {
    let is_negative = memory.u8(address) == b'-';
    let magnitude = parse_digits(memory, address + usize::from(is_negative), address + length) as i64;
    if is_negative { magnitude.wrapping_neg() } else { magnitude }
}

/// The number of a run of digits: exact up to 19 of them. Digits beyond a multiple of eight come first, as eight with zeros
/// before them.
#[inline(always)]
pub fn parse_digits(memory: Memory, mut address: Address, end: Address) -> u64 {
    let odd = (end - address) & 7;
    let mut value = if odd == 0 { 0 } else { parse_eight(memory.u64(address) << ((8 - odd) << 3)) };
    address += odd;
    while address < end {
        value = value.wrapping_mul(100_000_000).wrapping_add(parse_eight(memory.u64(address)));
        address += 8;
    }
    value
}

/// Eight digits at once: pairs, then fours, then all.
#[inline(always)]
fn parse_eight(digits: u64) -> u64 {
    let pairs = (digits & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(2561) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(6_553_601) >> 16;
    (fours & 0x0000_ffff_0000_ffff).wrapping_mul(42_949_672_960_001) >> 32
}
