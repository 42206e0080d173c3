//! Many bytes at a time: comparisons whose results are masks of 0xff or 0 a byte, and their bits. The same for each architecture;
//! the portable one is for others, and for Miri.

#[cfg(target_arch = "x86_64")]
extern crate std;

#[cfg(all(not(miri), target_arch = "x86_64"))]
mod avx2;
#[cfg(all(not(miri), target_arch = "x86_64"))]
mod avx512;
mod bytes16;
mod level;
#[cfg(all(not(miri), target_arch = "aarch64"))]
mod neon;
mod pair;
#[cfg(any(miri, not(any(target_arch = "wasm32", target_arch = "x86_64", target_arch = "aarch64"))))]
mod portable;
#[cfg(all(not(miri), target_arch = "x86_64"))]
mod sse2;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use bytes16::Bytes16;
pub use level::{Level, Task};

use crate::memory::{Address, Memory};

/// Bytes side by side, all of one operation at once.
///
/// # Safety
/// Any bytes are a value of the type.
pub unsafe trait Vector: Copy {
    fn splat(byte: u8) -> Self;

    fn eq(self, other: Self) -> Self;

    /// Unsigned, as all comparisons here.
    fn lt(self, other: Self) -> Self;

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    fn xor(self, other: Self) -> Self;

    /// The difference of each two bytes, 0 if it is negative.
    fn minus_down_to_zero(self, other: Self) -> Self;

    /// The upper half of each byte.
    fn upper_halves(self) -> Self;

    /// Replaces each byte, which is below 16, by the one that the table has for it.
    fn look_up(self, table: &[u8; 16]) -> Self;

    /// The bytes one, two and three places before each of these; `before` has those before the first.
    fn preceding(self, before: Self) -> [Self; 3];

    /// One bit for each byte, which is 0xff or 0.
    fn bits(self) -> u64;

    /// True if one byte, of which each is 0xff or 0, is not 0.
    fn any(self) -> bool;

    fn is_ascii(self) -> bool;

    /// Tests for `{ } [ ] , :`, and for the two control characters that fold onto the last two with the case bit. Brackets fold
    /// onto the braces; the table has a sign for each lower half of a byte.
    #[inline(always)]
    fn is_structural(self) -> Self {
        const SIGNS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b':', b'{', b',', b'}', 0, 0];
        let folded = self.or(Self::splat(0x20));
        folded.and(Self::splat(0x0f)).look_up(&SIGNS).eq(folded)
    }

    /// Every bit becomes the parity of those up to it.
    #[inline(always)]
    fn prefix_xor(mut bits: u64) -> u64 {
        for shift in [1, 2, 4, 8, 16, 32] {
            bits ^= bits << shift;
        }
        bits
    }

    /// Writes the place of each bit as a word, added to `first`, and returns the address behind the last one; up to 32 words are
    /// overwritten from there.
    #[inline(always)]
    fn write_places(memory: Memory, mut bits: u64, first: Address, to: Address) -> Address {
        let count = bits.count_ones() as usize;
        let mut written = 0;
        loop {
            let mut places = [0; 12];
            for place in &mut places {
                *place = first as u32 + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            memory.set_words(to + written * 4, places);
            written += 12;
            if written >= count {
                return to + count * 4;
            }
        }
    }
}
