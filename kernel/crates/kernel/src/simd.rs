//! Sixteen bytes at a time: comparisons whose results are masks of 0xff or 0 a byte, and their bits. The same for each
//! architecture; the portable one is for others, and for Miri.

#[cfg(all(not(miri), target_arch = "aarch64"))]
pub use neon::Bytes16;
#[cfg(any(miri, not(any(target_arch = "wasm32", target_arch = "x86_64", target_arch = "aarch64"))))]
pub use portable::Bytes16;
#[cfg(all(not(miri), target_arch = "x86_64"))]
pub use sse2::Bytes16;
#[cfg(target_arch = "wasm32")]
pub use wasm::Bytes16;

impl Bytes16 {
    /// The bits of the first `length` bytes (16 at most) that are set in a comparison.
    #[inline(always)]
    pub fn mask_of(self, length: usize) -> u32 {
        self.bits() & ((1 << length.min(16)) - 1)
    }

    /// The bits of the first `length` bytes (32 at most) of this comparison and that of the sixteen bytes behind.
    #[inline(always)]
    pub fn mask_of_two(self, second: Self, length: usize) -> u32 {
        let bits = self.bits() | (second.bits() << 16);
        if length >= 32 { bits } else { bits & ((1 << length) - 1) }
    }

    /// The bits of four comparisons, one behind the other.
    #[inline(always)]
    pub fn bits_of_four(a: Self, b: Self, c: Self, d: Self) -> u64 {
        let low = a.bits() | (b.bits() << 16);
        let high = c.bits() | (d.bits() << 16);
        u64::from(low) | (u64::from(high) << 32)
    }
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    use core::arch::wasm32::*;

    #[derive(Clone, Copy)]
    pub struct Bytes16(v128);

    impl Bytes16 {
        /// # Safety
        /// Sixteen bytes can be read there.
        #[inline(always)]
        pub unsafe fn read(from: *const u8) -> Self {
            // SAFETY: what the caller promises.
            Self(unsafe { v128_load(from.cast()) })
        }

        /// # Safety
        /// Sixteen bytes can be written there.
        #[inline(always)]
        pub unsafe fn write(self, to: *mut u8) {
            // SAFETY: what the caller promises.
            unsafe { v128_store(to.cast(), self.0) }
        }

        #[inline(always)]
        pub fn splat(byte: u8) -> Self {
            Self(u8x16_splat(byte))
        }

        #[inline(always)]
        pub fn of_words(low: u64, high: u64) -> Self {
            Self(u64x2(low, high))
        }

        #[inline(always)]
        pub fn eq(self, other: Self) -> Self {
            Self(u8x16_eq(self.0, other.0))
        }

        /// Unsigned, as all comparisons here.
        #[inline(always)]
        pub fn lt(self, other: Self) -> Self {
            Self(u8x16_lt(self.0, other.0))
        }

        #[inline(always)]
        pub fn le(self, other: Self) -> Self {
            Self(u8x16_le(self.0, other.0))
        }

        #[inline(always)]
        pub fn min(self, other: Self) -> Self {
            Self(u8x16_min(self.0, other.0))
        }

        #[inline(always)]
        pub fn minus(self, other: Self) -> Self {
            Self(u8x16_sub(self.0, other.0))
        }

        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }

        /// Tests for `{ } [ ] , :`. Brackets fold onto the braces with the case bit; the table has a sign for each lower half of a byte.
        #[inline(always)]
        pub fn is_structural(self) -> Self {
            let signs =
                u8x16(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, b':', b'{', b',', b'}', 0xff, 0xff);
            let folded = v128_or(self.0, u8x16_splat(0x20));
            Self(u8x16_eq(u8x16_swizzle(signs, v128_and(folded, u8x16_splat(0x0f))), folded))
        }

        /// The highest bit of each byte.
        #[inline(always)]
        pub fn bits(self) -> u32 {
            u32::from(u8x16_bitmask(self.0))
        }

        #[inline(always)]
        pub fn any(self) -> bool {
            v128_any_true(self.0)
        }
    }
}

#[cfg(all(not(miri), target_arch = "x86_64"))]
mod sse2 {
    use core::arch::x86_64::*;

    /// SSE2 is part of the architecture. It has only signed comparisons, so an unsigned one goes by the lesser of both.
    // SAFETY of the blocks below: SSE2 is there, and its functions that take no address have no other condition.
    #[derive(Clone, Copy)]
    pub struct Bytes16(__m128i);

    impl Bytes16 {
        /// # Safety
        /// Sixteen bytes can be read there.
        #[inline(always)]
        pub unsafe fn read(from: *const u8) -> Self {
            // SAFETY: what the caller promises.
            Self(unsafe { _mm_loadu_si128(from.cast()) })
        }

        /// # Safety
        /// Sixteen bytes can be written there.
        #[inline(always)]
        pub unsafe fn write(self, to: *mut u8) {
            // SAFETY: what the caller promises.
            unsafe { _mm_storeu_si128(to.cast(), self.0) }
        }

        #[inline(always)]
        pub fn splat(byte: u8) -> Self {
            Self(unsafe { _mm_set1_epi8(byte as i8) })
        }

        #[inline(always)]
        pub fn of_words(low: u64, high: u64) -> Self {
            Self(unsafe { _mm_set_epi64x(high as i64, low as i64) })
        }

        #[inline(always)]
        pub fn eq(self, other: Self) -> Self {
            Self(unsafe { _mm_cmpeq_epi8(self.0, other.0) })
        }

        /// Unsigned, as all comparisons here.
        #[inline(always)]
        pub fn lt(self, other: Self) -> Self {
            Self(unsafe { _mm_xor_si128(other.le(self).0, _mm_set1_epi8(-1)) })
        }

        #[inline(always)]
        pub fn le(self, other: Self) -> Self {
            Self(unsafe { _mm_cmpeq_epi8(_mm_min_epu8(self.0, other.0), self.0) })
        }

        #[inline(always)]
        pub fn min(self, other: Self) -> Self {
            Self(unsafe { _mm_min_epu8(self.0, other.0) })
        }

        #[inline(always)]
        pub fn minus(self, other: Self) -> Self {
            Self(unsafe { _mm_sub_epi8(self.0, other.0) })
        }

        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            Self(unsafe { _mm_or_si128(self.0, other.0) })
        }

        /// Tests for `{ } [ ] , :`, and for the two control characters that fold onto the last two with the case bit.
        #[inline(always)]
        pub fn is_structural(self) -> Self {
            let folded = self.or(Self::splat(0x20));
            let is = |sign: u8| folded.eq(Self::splat(sign));
            is(b'{').or(is(b'}')).or(is(b',').or(is(b':')))
        }

        /// The highest bit of each byte.
        #[inline(always)]
        pub fn bits(self) -> u32 {
            unsafe { _mm_movemask_epi8(self.0) as u32 }
        }

        #[inline(always)]
        pub fn any(self) -> bool {
            self.bits() != 0
        }
    }
}

#[cfg(all(not(miri), target_arch = "aarch64"))]
mod neon {
    use core::arch::aarch64::*;

    /// NEON is part of the architecture.
    #[derive(Clone, Copy)]
    pub struct Bytes16(uint8x16_t);

    // SAFETY of all blocks below: NEON is there, and the functions of `core::arch` for it have no other condition.
    impl Bytes16 {
        /// # Safety
        /// Sixteen bytes can be read there.
        #[inline(always)]
        pub unsafe fn read(from: *const u8) -> Self {
            // SAFETY: what the caller promises.
            Self(unsafe { vld1q_u8(from) })
        }

        /// # Safety
        /// Sixteen bytes can be written there.
        #[inline(always)]
        pub unsafe fn write(self, to: *mut u8) {
            // SAFETY: what the caller promises.
            unsafe { vst1q_u8(to, self.0) }
        }

        #[inline(always)]
        pub fn splat(byte: u8) -> Self {
            Self(unsafe { vdupq_n_u8(byte) })
        }

        #[inline(always)]
        pub fn of_words(low: u64, high: u64) -> Self {
            Self(unsafe { vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high))) })
        }

        #[inline(always)]
        pub fn eq(self, other: Self) -> Self {
            Self(unsafe { vceqq_u8(self.0, other.0) })
        }

        /// Unsigned, as all comparisons here.
        #[inline(always)]
        pub fn lt(self, other: Self) -> Self {
            Self(unsafe { vcltq_u8(self.0, other.0) })
        }

        #[inline(always)]
        pub fn le(self, other: Self) -> Self {
            Self(unsafe { vcleq_u8(self.0, other.0) })
        }

        #[inline(always)]
        pub fn min(self, other: Self) -> Self {
            Self(unsafe { vminq_u8(self.0, other.0) })
        }

        #[inline(always)]
        pub fn minus(self, other: Self) -> Self {
            Self(unsafe { vsubq_u8(self.0, other.0) })
        }

        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            Self(unsafe { vorrq_u8(self.0, other.0) })
        }

        /// Tests for `{ } [ ] , :`, and for the two control characters that fold onto the last two with the case bit.
        #[inline(always)]
        pub fn is_structural(self) -> Self {
            let folded = self.or(Self::splat(0x20));
            let is = |sign: u8| folded.eq(Self::splat(sign));
            is(b'{').or(is(b'}')).or(is(b',').or(is(b':')))
        }

        /// The highest bit of each byte, which is 0xff or 0: one bit of each, then pairs joined three times.
        #[inline(always)]
        pub fn bits(self) -> u32 {
            const BITS: u64 = u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
            unsafe {
                let bits = vandq_u8(self.0, Self::of_words(BITS, BITS).0);
                let pairs = vpaddq_u8(bits, bits);
                let fours = vpaddq_u8(pairs, pairs);
                u32::from(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(vpaddq_u8(fours, fours))))
            }
        }

        #[inline(always)]
        pub fn any(self) -> bool {
            unsafe { vmaxvq_u8(self.0) != 0 }
        }
    }
}

#[cfg(any(miri, not(any(target_arch = "wasm32", target_arch = "x86_64", target_arch = "aarch64"))))]
mod portable {
    #[derive(Clone, Copy)]
    pub struct Bytes16([u8; 16]);

    impl Bytes16 {
        /// # Safety
        /// Sixteen bytes can be read there.
        #[inline(always)]
        pub unsafe fn read(from: *const u8) -> Self {
            // SAFETY: what the caller promises.
            Self(unsafe { from.cast::<[u8; 16]>().read_unaligned() })
        }

        /// # Safety
        /// Sixteen bytes can be written there.
        #[inline(always)]
        pub unsafe fn write(self, to: *mut u8) {
            // SAFETY: what the caller promises.
            unsafe { to.cast::<[u8; 16]>().write_unaligned(self.0) }
        }

        pub fn splat(byte: u8) -> Self {
            Self([byte; 16])
        }

        pub fn of_words(low: u64, high: u64) -> Self {
            Self((u128::from(low) | (u128::from(high) << 64)).to_le_bytes())
        }

        fn zip(self, other: Self, of: impl Fn(u8, u8) -> u8) -> Self {
            Self(core::array::from_fn(|index| of(self.0[index], other.0[index])))
        }

        pub fn eq(self, other: Self) -> Self {
            self.zip(other, |a, b| if a == b { 0xff } else { 0 })
        }

        /// Unsigned, as all comparisons here.
        pub fn lt(self, other: Self) -> Self {
            self.zip(other, |a, b| if a < b { 0xff } else { 0 })
        }

        pub fn le(self, other: Self) -> Self {
            self.zip(other, |a, b| if a <= b { 0xff } else { 0 })
        }

        pub fn min(self, other: Self) -> Self {
            self.zip(other, u8::min)
        }

        pub fn minus(self, other: Self) -> Self {
            self.zip(other, u8::wrapping_sub)
        }

        pub fn or(self, other: Self) -> Self {
            self.zip(other, |a, b| a | b)
        }

        /// Tests for `{ } [ ] , :`, and for the two control characters that fold onto the last two with the case bit.
        pub fn is_structural(self) -> Self {
            Self(self.0.map(|byte| if matches!(byte | 0x20, b'{' | b'}' | b',' | b':') { 0xff } else { 0 }))
        }

        /// The highest bit of each byte.
        pub fn bits(self) -> u32 {
            self.0.iter().enumerate().fold(0, |bits, (index, byte)| bits | (u32::from(byte >> 7) << index))
        }

        pub fn any(self) -> bool {
            self.0 != [0; 16]
        }
    }
}
