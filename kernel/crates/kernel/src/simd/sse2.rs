//! Sixteen bytes of SSE2, which is part of the architecture.

use super::Vector;
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Bytes16(__m128i);

// SAFETY: any bytes are a value. That of all blocks below: SSE2 is there, and its functions that take no address have no other
// condition.
unsafe impl Vector for Bytes16 {
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self(unsafe { _mm_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn eq(self, other: Self) -> Self {
        Self(unsafe { _mm_cmpeq_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        other.le(self).xor(Self::splat(0xff))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn minus_down_to_zero(self, other: Self) -> Self {
        Self(unsafe { _mm_subs_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        Self(unsafe { _mm_srli_epi16::<4>(self.0) }).and(Self::splat(0x0f))
    }

    /// Byte by byte: only processors without AVX2 come here.
    #[inline]
    fn look_up(self, table: &[u8; 16]) -> Self {
        // SAFETY: both are sixteen bytes.
        let bytes: [u8; 16] = unsafe { core::mem::transmute(self) };
        unsafe { core::mem::transmute(bytes.map(|byte| table[usize::from(byte)])) }
    }

    #[inline(always)]
    fn preceding(self, before: Self) -> [Self; 3] {
        unsafe {
            [
                Self(_mm_slli_si128::<1>(self.0)).or(Self(_mm_srli_si128::<15>(before.0))),
                Self(_mm_slli_si128::<2>(self.0)).or(Self(_mm_srli_si128::<14>(before.0))),
                Self(_mm_slli_si128::<3>(self.0)).or(Self(_mm_srli_si128::<13>(before.0))),
            ]
        }
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(unsafe { _mm_movemask_epi8(self.0) } as u32)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }

    #[inline(always)]
    fn is_ascii(self) -> bool {
        self.bits() == 0
    }

    #[inline(always)]
    fn is_structural(self) -> Self {
        let folded = self.or(Self::splat(0x20));
        let is = |sign: u8| folded.eq(Self::splat(sign));
        is(b'{').or(is(b'}')).or(is(b',').or(is(b':')))
    }
}

// SAFETY of the blocks: as above.
impl Bytes16 {
    #[inline(always)]
    pub fn of_words(low: u64, high: u64) -> Self {
        Self(unsafe { _mm_set_epi64x(high as i64, low as i64) })
    }

    /// There are only signed comparisons, so this one goes by the lesser of both.
    #[inline(always)]
    pub fn le(self, other: Self) -> Self {
        Self(unsafe { _mm_min_epu8(self.0, other.0) }).eq(self)
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Self(unsafe { _mm_sub_epi8(self.0, other.0) })
    }
}
