//! Two vectors as one of twice the bytes.

use super::Vector;
use crate::memory::{Address, Memory};

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pair<V>(V, V);

// SAFETY: any bytes are a value of both, and there are none between them.
unsafe impl<V: Vector> Vector for Pair<V> {
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self(V::splat(byte), V::splat(byte))
    }

    #[inline(always)]
    fn eq(self, other: Self) -> Self {
        Self(self.0.eq(other.0), self.1.eq(other.1))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        Self(self.0.lt(other.0), self.1.lt(other.1))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0), self.1.and(other.1))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0), self.1.or(other.1))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }

    #[inline(always)]
    fn minus_down_to_zero(self, other: Self) -> Self {
        Self(self.0.minus_down_to_zero(other.0), self.1.minus_down_to_zero(other.1))
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        Self(self.0.upper_halves(), self.1.upper_halves())
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        Self(self.0.look_up(table), self.1.look_up(table))
    }

    #[inline(always)]
    fn preceding(self, before: Self) -> [Self; 3] {
        let [a1, a2, a3] = self.0.preceding(before.1);
        let [b1, b2, b3] = self.1.preceding(self.0);
        [Self(a1, b1), Self(a2, b2), Self(a3, b3)]
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0.bits() | (self.1.bits() << (size_of::<V>() as u32))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.or(self.1).any()
    }

    #[inline(always)]
    fn is_ascii(self) -> bool {
        self.0.or(self.1).is_ascii()
    }

    #[inline(always)]
    fn is_structural(self) -> Self {
        Self(self.0.is_structural(), self.1.is_structural())
    }

    #[inline(always)]
    fn prefix_xor(bits: u64) -> u64 {
        V::prefix_xor(bits)
    }

    #[inline(always)]
    fn write_places(memory: Memory, bits: u64, first: Address, to: Address) -> Address {
        V::write_places(memory, bits, first, to)
    }
}
