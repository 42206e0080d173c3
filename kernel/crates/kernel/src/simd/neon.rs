//! Sixteen bytes of NEON, which is part of the architecture.

use super::Vector;
use core::arch::aarch64::*;

#[derive(Clone, Copy)]
pub struct Bytes16(uint8x16_t);

// SAFETY: any bytes are a value. That of all blocks below: NEON is there, and its functions have no other condition, but that of
// `vld1q_u8`, which reads sixteen bytes of an array of as many.
unsafe impl Vector for Bytes16 {
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self(unsafe { vdupq_n_u8(byte) })
    }

    #[inline(always)]
    fn eq(self, other: Self) -> Self {
        Self(unsafe { vceqq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        Self(unsafe { vcltq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { vandq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { veorq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn minus_down_to_zero(self, other: Self) -> Self {
        Self(unsafe { vqsubq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        Self(unsafe { vshrq_n_u8::<4>(self.0) })
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        Self(unsafe { vqtbl1q_u8(vld1q_u8(table.as_ptr()), self.0) })
    }

    #[inline(always)]
    fn preceding(self, before: Self) -> [Self; 3] {
        let (a, b) = (before.0, self.0);
        unsafe { [Self(vextq_u8::<15>(a, b)), Self(vextq_u8::<14>(a, b)), Self(vextq_u8::<13>(a, b))] }
    }

    /// One bit of each byte, then pairs joined three times.
    #[inline(always)]
    fn bits(self) -> u64 {
        const BITS: u64 = u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
        unsafe {
            let bits = vandq_u8(self.0, Self::of_words(BITS, BITS).0);
            let pairs = vpaddq_u8(bits, bits);
            let fours = vpaddq_u8(pairs, pairs);
            u64::from(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(vpaddq_u8(fours, fours))))
        }
    }

    #[inline(always)]
    fn any(self) -> bool {
        unsafe { vmaxvq_u8(self.0) != 0 }
    }

    #[inline(always)]
    fn is_ascii(self) -> bool {
        unsafe { vmaxvq_u8(self.0) < 0x80 }
    }
}

// SAFETY of the blocks: as above.
impl Bytes16 {
    #[inline(always)]
    pub fn of_words(low: u64, high: u64) -> Self {
        Self(unsafe { vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high))) })
    }

    #[inline(always)]
    pub fn le(self, other: Self) -> Self {
        Self(unsafe { vcleq_u8(self.0, other.0) })
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Self(unsafe { vsubq_u8(self.0, other.0) })
    }
}
