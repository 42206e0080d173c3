//! The check of UTF-8 by Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021): what three halves of
//! two neighbouring bytes allow is looked up, and a third or fourth byte is counted from the first one.

use crate::simd::Vector;

/// The check of bytes that come vector by vector.
pub struct Utf8Check<V> {
    errors: V,
    before: V,
    /// True if the last byte before is not ASCII: its character may be unfinished.
    is_open: bool,
}

impl<V: Vector> Utf8Check<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self { errors: V::splat(0), before: V::splat(0), is_open: false }
    }

    #[inline(always)]
    pub fn add(&mut self, bytes: V) {
        if bytes.is_ascii() && !self.is_open {
            return;
        }
        self.errors = self.errors.or(find_errors(bytes, self.before));
        self.before = bytes;
        self.is_open = V::splat(0x7f).lt(bytes).bits() >> (size_of::<V>() - 1) != 0;
    }

    /// True if all bytes were UTF-8.
    #[inline(always)]
    pub fn finish(mut self) -> bool {
        // An unfinished character shows by what follows.
        self.add(V::splat(0));
        !V::splat(0).lt(self.errors).any()
    }
}

/// Bits of what is wrong with two neighbouring bytes.
const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
/// Two bytes that continue: right for a third or fourth byte alone.
const TWO_CONTINUE: u8 = 1 << 7;
/// What the lower half of a first byte does not decide.
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUE;

#[rustfmt::skip]
const UPPER_OF_FIRST: [u8; 16] = [
    TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
    TWO_CONTINUE, TWO_CONTINUE, TWO_CONTINUE, TWO_CONTINUE,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
];

#[rustfmt::skip]
const LOWER_OF_FIRST: [u8; 16] = [
    CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    CARRY | OVERLONG_2,
    CARRY, CARRY,
    CARRY | TOO_LARGE,
    CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000,
    CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
    CARRY | TOO_LARGE | TOO_LARGE_1000, CARRY | TOO_LARGE | TOO_LARGE_1000,
];

#[rustfmt::skip]
const UPPER_OF_SECOND: [u8; 16] = [
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | TOO_LARGE,
    TOO_LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | TOO_LARGE,
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
];

/// Bytes that are not 0 where something is wrong.
#[inline(always)]
fn find_errors<V: Vector>(bytes: V, before: V) -> V {
    let [one, two, three] = bytes.preceding(before);
    let special = (one.upper_halves().look_up(&UPPER_OF_FIRST))
        .and(one.and(V::splat(0x0f)).look_up(&LOWER_OF_FIRST))
        .and(bytes.upper_halves().look_up(&UPPER_OF_SECOND));
    // The highest bit of a byte that has to continue a character as its third or fourth.
    let continues = (two.minus_down_to_zero(V::splat(0xe0 - 0x80))).or(three.minus_down_to_zero(V::splat(0xf0 - 0x80)));
    continues.and(V::splat(0x80)).xor(special)
}
