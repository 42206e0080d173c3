//! Sixteen bytes, one by one.

use super::Vector;

#[derive(Clone, Copy)]
pub struct Bytes16([u8; 16]);

impl Bytes16 {
    fn zip(self, other: Self, of: impl Fn(u8, u8) -> u8) -> Self {
        Self(core::array::from_fn(|index| of(self.0[index], other.0[index])))
    }

    pub fn of_words(low: u64, high: u64) -> Self {
        Self((u128::from(low) | (u128::from(high) << 64)).to_le_bytes())
    }

    pub fn le(self, other: Self) -> Self {
        self.zip(other, |a, b| if a <= b { 0xff } else { 0 })
    }

    pub fn minus(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_sub)
    }
}

// SAFETY: any bytes are a value.
unsafe impl Vector for Bytes16 {
    fn splat(byte: u8) -> Self {
        Self([byte; 16])
    }

    fn eq(self, other: Self) -> Self {
        self.zip(other, |a, b| if a == b { 0xff } else { 0 })
    }

    fn lt(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { 0xff } else { 0 })
    }

    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    fn minus_down_to_zero(self, other: Self) -> Self {
        self.zip(other, u8::saturating_sub)
    }

    fn upper_halves(self) -> Self {
        Self(self.0.map(|byte| byte >> 4))
    }

    fn look_up(self, table: &[u8; 16]) -> Self {
        Self(self.0.map(|byte| table[usize::from(byte)]))
    }

    fn preceding(self, before: Self) -> [Self; 3] {
        [1, 2, 3].map(|places| {
            Self(core::array::from_fn(|index| match index.checked_sub(places) {
                Some(from) => self.0[from],
                None => before.0[16 + index - places],
            }))
        })
    }

    fn bits(self) -> u64 {
        self.0.iter().enumerate().fold(0, |bits, (index, byte)| bits | (u64::from(byte >> 7) << index))
    }

    fn any(self) -> bool {
        self.0 != [0; 16]
    }

    fn is_ascii(self) -> bool {
        self.0.is_ascii()
    }
}
