//! 64 bytes of AVX-512 as Ice Lake and Zen 4 brought it, which is found at run time.

use super::Vector;
use super::avx2::prefix_xor;
use super::level::Task;
use crate::memory::{Address, Memory};
use core::arch::x86_64::*;

pub fn is_here() -> bool {
    use super::std::is_x86_feature_detected as has;
    super::avx2::is_here() && has!("avx512f") && has!("avx512bw") && has!("avx512vbmi2")
}

/// Called only if the processor has what `is_here` asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt,pclmulqdq")]
pub fn run<T: Task>(task: T) -> T::Output {
    task.run::<Bytes64>()
}

/// A comparison as bytes costs nothing: the compiler leaves it in the register of bits that it is made in.
#[derive(Clone, Copy)]
pub struct Bytes64(__m512i);

// SAFETY: any bytes are a value. That of all blocks below: `run` alone hands the type out, and their functions that take no
// address have no other condition.
unsafe impl Vector for Bytes64 {
    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Self(unsafe { _mm512_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn eq(self, other: Self) -> Self {
        Self(unsafe { _mm512_movm_epi8(_mm512_cmpeq_epu8_mask(self.0, other.0)) })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        Self(unsafe { _mm512_movm_epi8(_mm512_cmplt_epu8_mask(self.0, other.0)) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn minus_down_to_zero(self, other: Self) -> Self {
        Self(unsafe { _mm512_subs_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        Self(unsafe { _mm512_srli_epi16::<4>(self.0) }).and(Self::splat(0x0f))
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        let table = u128::from_le_bytes(*table);
        let (low, high) = (table as i64, (table >> 64) as i64);
        Self(unsafe { _mm512_shuffle_epi8(_mm512_setr_epi64(low, high, low, high, low, high, low, high), self.0) })
    }

    #[inline(always)]
    fn preceding(self, before: Self) -> [Self; 3] {
        unsafe {
            let lanes = _mm512_alignr_epi64::<6>(self.0, before.0);
            [
                Self(_mm512_alignr_epi8::<15>(self.0, lanes)),
                Self(_mm512_alignr_epi8::<14>(self.0, lanes)),
                Self(_mm512_alignr_epi8::<13>(self.0, lanes)),
            ]
        }
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        unsafe { _mm512_movepi8_mask(self.0) }
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

    #[inline(always)]
    fn write_places(memory: Memory, bits: u64, first: Address, to: Address) -> Address {
        unsafe { write_places(memory, bits, first, to) }
    }
}

/// 32 words at a time: a step has rarely more, and often more than 16.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
fn write_places(memory: Memory, bits: u64, first: Address, to: Address) -> Address {
    let end = to + bits.count_ones() as usize * 4;
    let first = _mm512_set1_epi32(first as i32);
    let words = |places| Bytes64(_mm512_add_epi32(_mm512_cvtepu8_epi32(places), first));
    let places = _mm512_maskz_compress_epi8(bits, PLACES);
    memory.set_vector(to, words(_mm512_castsi512_si128(places)));
    memory.set_vector(to + 64, words(_mm512_extracti32x4_epi32::<1>(places)));
    if end > to + 128 {
        memory.set_vector(to + 128, words(_mm512_extracti32x4_epi32::<2>(places)));
        memory.set_vector(to + 192, words(_mm512_extracti32x4_epi32::<3>(places)));
    }
    end
}

/// The numbers from 0 on.
const PLACES: __m512i = {
    let mut places = [0u8; 64];
    let mut place = 0;
    while place < 64 {
        places[place] = place as u8;
        place += 1;
    }
    // SAFETY: any bytes are a value.
    unsafe { core::mem::transmute(places) }
};
