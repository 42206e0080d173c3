//! Sixteen bytes, which every architecture has, and what is asked of no wider vector.

use super::Vector;
#[cfg(all(not(miri), target_arch = "aarch64"))]
pub use super::neon::Bytes16;
#[cfg(any(miri, not(any(target_arch = "wasm32", target_arch = "x86_64", target_arch = "aarch64"))))]
pub use super::portable::Bytes16;
#[cfg(all(not(miri), target_arch = "x86_64"))]
pub use super::sse2::Bytes16;
#[cfg(target_arch = "wasm32")]
pub use super::wasm::Bytes16;

impl Bytes16 {
    /// The bits of the first `length` bytes (16 at most) that are set in a comparison.
    #[inline(always)]
    pub fn mask_of(self, length: usize) -> u32 {
        self.bits() as u32 & ((1 << length.min(16)) - 1)
    }

    /// The bits of the first `length` bytes (32 at most) of this comparison and that of the sixteen bytes behind.
    #[inline(always)]
    pub fn mask_of_two(self, second: Self, length: usize) -> u32 {
        let bits = self.bits() as u32 | ((second.bits() as u32) << 16);
        if length >= 32 { bits } else { bits & ((1 << length) - 1) }
    }
}
