//! Sixteen bytes of WebAssembly's vectors.

use super::Vector;
use core::arch::wasm32::*;

#[derive(Clone, Copy)]
pub struct Bytes16(v128);

// SAFETY: any bytes are a value.
unsafe impl Vector for Bytes16 {
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self(u8x16_splat(byte))
    }

    #[inline(always)]
    fn eq(self, other: Self) -> Self {
        Self(u8x16_eq(self.0, other.0))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        Self(u8x16_lt(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn minus_down_to_zero(self, other: Self) -> Self {
        Self(u8x16_sub_sat(self.0, other.0))
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        Self(u8x16_shr(self.0, 4))
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        let table = u128::from_le_bytes(*table);
        Self(u8x16_swizzle(u64x2(table as u64, (table >> 64) as u64), self.0))
    }

    #[inline(always)]
    fn preceding(self, before: Self) -> [Self; 3] {
        let (a, b) = (before.0, self.0);
        [
            Self(u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(a, b)),
            Self(u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(a, b)),
            Self(u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(a, b)),
        ]
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(u8x16_bitmask(self.0))
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }

    #[inline(always)]
    fn is_ascii(self) -> bool {
        u8x16_bitmask(self.0) == 0
    }
}

impl Bytes16 {
    #[inline(always)]
    pub fn of_words(low: u64, high: u64) -> Self {
        Self(u64x2(low, high))
    }

    #[inline(always)]
    pub fn le(self, other: Self) -> Self {
        Self(u8x16_le(self.0, other.0))
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Self(u8x16_sub(self.0, other.0))
    }
}
