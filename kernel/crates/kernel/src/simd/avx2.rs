//! 32 bytes of AVX2, which is found at run time.

use super::Vector;
use super::level::Task;
use super::pair::Pair;
use core::arch::x86_64::*;

pub fn is_here() -> bool {
    use super::std::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") && has!("pclmulqdq")
}

/// Called only if the processor has what `is_here` asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,pclmulqdq")]
pub fn run<T: Task>(task: T) -> T::Output {
    task.run::<Pair<Bytes32>>()
}

#[derive(Clone, Copy)]
pub struct Bytes32(__m256i);

// SAFETY: any bytes are a value. That of all blocks below: `run` alone hands the type out, and their functions that take no
// address have no other condition.
unsafe impl Vector for Bytes32 {
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self(unsafe { _mm256_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn eq(self, other: Self) -> Self {
        Self(unsafe { _mm256_cmpeq_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        Self(unsafe {
            _mm256_andnot_si256(_mm256_cmpeq_epi8(_mm256_max_epu8(self.0, other.0), self.0), other.eq(other).0)
        })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn minus_down_to_zero(self, other: Self) -> Self {
        Self(unsafe { _mm256_subs_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        Self(unsafe { _mm256_srli_epi16::<4>(self.0) }).and(Self::splat(0x0f))
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        let table = u128::from_le_bytes(*table);
        let (low, high) = (table as i64, (table >> 64) as i64);
        Self(unsafe { _mm256_shuffle_epi8(_mm256_setr_epi64x(low, high, low, high), self.0) })
    }

    #[inline(always)]
    fn preceding(self, before: Self) -> [Self; 3] {
        unsafe {
            let lanes = _mm256_permute2x128_si256::<0x21>(before.0, self.0);
            [
                Self(_mm256_alignr_epi8::<15>(self.0, lanes)),
                Self(_mm256_alignr_epi8::<14>(self.0, lanes)),
                Self(_mm256_alignr_epi8::<13>(self.0, lanes)),
            ]
        }
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(unsafe { _mm256_movemask_epi8(self.0) } as u32)
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
    fn prefix_xor(bits: u64) -> u64 {
        unsafe { prefix_xor(bits) }
    }
}

/// A product without carries by ones.
#[inline]
#[target_feature(enable = "pclmulqdq")]
pub fn prefix_xor(bits: u64) -> u64 {
    _mm_cvtsi128_si64(_mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(bits as i64), _mm_set1_epi8(-1))) as u64
}
