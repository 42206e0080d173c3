//! Sixteen bytes at a time: comparisons whose results are masks of 0xff or 0 a byte, and their bits.

#[cfg(not(target_arch = "wasm32"))]
pub use portable::Bytes16;
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
        pub fn of(bytes: [u8; 16]) -> Self {
            Self::of_words(
                u64::from_le_bytes(core::array::from_fn(|index| bytes[index])),
                u64::from_le_bytes(core::array::from_fn(|index| bytes[index + 8])),
            )
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

        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }

        /// The bytes of this table at these indexes; 0 for an index above 15.
        #[inline(always)]
        pub fn look_up(self, indexes: Self) -> Self {
            Self(u8x16_swizzle(self.0, indexes.0))
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

#[cfg(not(target_arch = "wasm32"))]
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

        pub fn of(bytes: [u8; 16]) -> Self {
            Self(bytes)
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

        pub fn and(self, other: Self) -> Self {
            self.zip(other, |a, b| a & b)
        }

        /// The bytes of this table at these indexes; 0 for an index above 15.
        pub fn look_up(self, indexes: Self) -> Self {
            Self(indexes.0.map(|index| self.0.get(usize::from(index)).copied().unwrap_or(0)))
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
