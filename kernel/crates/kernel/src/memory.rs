//! The memory that the kernel works in. Addresses are offsets from its beginning, below 4 GiB. As WebAssembly it is the module's
//! linear memory, where the engine checks each address; natively these accessors do, and a wrong address is a panic.
//!
//! All functions read and write by address, as cells and programs are words that address each other. No reference into the
//! memory outlives the call that made it, and no two threads work on the same range at the same time.

use crate::simd::{Bytes16, Vector};
use core::ptr::{copy, write_bytes};

/// An offset from the beginning of the memory, in bytes.
pub type Address = usize;

/// Bytes at an address.
#[derive(Clone, Copy)]
pub struct Bytes {
    pub address: Address,
    pub length: usize,
}

/// Bytes that the copies below may write, and read, behind their end.
pub const SLACK: usize = 32;

/// The bytes that are checked at once. The last ones of a memory are only read and written from before them.
pub const WINDOW_BYTES: usize = 64;

#[derive(Clone, Copy)]
pub struct Memory {
    #[cfg(not(target_arch = "wasm32"))]
    base: *mut u8,
    /// The last address that a window may have.
    #[cfg(not(target_arch = "wasm32"))]
    last: Address,
}

#[cfg(target_arch = "wasm32")]
impl Memory {
    /// The linear memory of the module.
    pub const fn linear() -> Self {
        Self {}
    }

    #[inline(always)]
    fn at(self, address: Address, _bytes: usize) -> *mut u8 {
        address as *mut u8
    }

    #[inline(always)]
    fn at_window(self, address: Address) -> *mut u8 {
        address as *mut u8
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Memory {
    /// The memory that a buffer of at least `WINDOW_BYTES` is.
    ///
    /// # Safety
    /// The buffer outlives every copy of the result, and nothing else reads or writes it meanwhile.
    pub unsafe fn over(base: *mut u8, bytes: usize) -> Self {
        assert!(bytes >= WINDOW_BYTES);
        Self { base, last: bytes - WINDOW_BYTES }
    }

    /// Checks a whole window, however little of it is used: one comparison does for all that begins at an address.
    #[inline(always)]
    fn at_window(self, address: Address) -> *mut u8 {
        if address > self.last {
            self.refuse(address, WINDOW_BYTES)
        }
        // SAFETY: the range is within the buffer.
        unsafe { self.base.add(address) }
    }

    #[inline(always)]
    fn at(self, address: Address, bytes: usize) -> *mut u8 {
        match address.checked_add(bytes) {
            // SAFETY: the range is within the buffer.
            Some(end) if end <= self.last + WINDOW_BYTES => unsafe { self.base.add(address) },
            _ => self.refuse(address, bytes),
        }
    }

    #[cold]
    fn refuse(self, address: Address, bytes: usize) -> ! {
        panic!("expected {bytes} bytes at {address} in a memory of {} bytes", self.last + WINDOW_BYTES)
    }
}

macro_rules! accessors {
    ($($read:ident $write:ident $type:ty),*) => {$(
        #[inline(always)]
        pub fn $read(self, address: Address) -> $type {
            // SAFETY: the range, of a few bytes, is checked, or the engine does it.
            unsafe { (self.at_window(address) as *const $type).read_unaligned() }
        }

        #[inline(always)]
        pub fn $write(self, address: Address, value: $type) {
            // SAFETY: as above.
            unsafe { (self.at_window(address) as *mut $type).write_unaligned(value) }
        }
    )*};
}

impl Memory {
    accessors!(
        u8 set_u8 u8, i8 set_i8 i8, u16 set_u16 u16, u32 set_u32 u32, i32 set_i32 i32,
        u64 set_u64 u64, i64 set_i64 i64, i128 set_i128 i128, f64 set_f64 f64
    );

    /// The byte at an address, as a word.
    #[inline(always)]
    pub fn byte(self, address: Address) -> u32 {
        u32::from(self.u8(address))
    }

    /// The word at an address, which is an address itself or a number of bytes.
    #[inline(always)]
    pub fn word(self, address: Address) -> usize {
        self.u32(address) as usize
    }

    #[inline(always)]
    pub fn set_word(self, address: Address, value: usize) {
        self.set_u32(address, value as u32);
    }

    #[inline(always)]
    pub fn set_words<const N: usize>(self, address: Address, words: [u32; N]) {
        // SAFETY: as above.
        unsafe { self.at(address, N * 4).cast::<[u32; N]>().write_unaligned(words) }
    }

    #[inline(always)]
    pub fn window(self, address: Address) -> Window {
        Window(self.at_window(address))
    }

    #[inline(always)]
    pub fn vector<V: Vector>(self, address: Address) -> V {
        self.window(address).read::<0, V>()
    }

    #[inline(always)]
    pub fn set_vector<V: Vector>(self, address: Address, bytes: V) {
        const { assert!(size_of::<V>() <= WINDOW_BYTES) };
        // SAFETY: as above.
        unsafe { self.at_window(address).cast::<V>().write_unaligned(bytes) }
    }

    #[inline(always)]
    pub fn bytes16(self, address: Address) -> Bytes16 {
        self.vector(address)
    }

    #[inline(always)]
    pub fn set_bytes16(self, address: Address, bytes: Bytes16) {
        self.set_vector(address, bytes);
    }

    /// Bytes for a function that takes a slice. It is read before anything is written to this range.
    #[inline(always)]
    pub fn slice<'a>(self, address: Address, bytes: usize) -> &'a [u8] {
        if bytes == 0 {
            return &[];
        }
        // SAFETY: as above; bytes have no invalid values.
        unsafe { core::slice::from_raw_parts(self.at(address, bytes), bytes) }
    }

    /// Has a function read some bytes and write others.
    pub fn convert<Result>(self, from: Bytes, to: Bytes, convert: impl FnOnce(&[u8], &mut [u8]) -> Result) -> Result {
        let are_apart = from.address + from.length <= to.address || to.address + to.length <= from.address;
        assert!(are_apart, "expected ranges that do not overlap");
        // SAFETY: as above; nothing else reads or writes these bytes meanwhile.
        let room = unsafe { core::slice::from_raw_parts_mut(self.at(to.address, to.length), to.length) };
        convert(self.slice(from.address, from.length), room)
    }

    /// The first eight bytes as a number of the same order, with zeros for those that are not there.
    #[inline(always)]
    pub fn head(self, address: Address, length: usize) -> u64 {
        if length == 0 {
            return 0;
        }
        let head = self.u64(address).swap_bytes();
        if length >= 8 { head } else { head >> (64 - length * 8) << (64 - length * 8) }
    }

    /// Copies exactly these bytes; the ranges may overlap.
    #[inline(always)]
    pub fn copy(self, to: Address, from: Address, bytes: usize) {
        if bytes > 0 {
            // SAFETY: as above, for both ranges.
            unsafe { copy(self.at(from, bytes), self.at(to, bytes), bytes) }
        }
    }

    /// Copies and returns the end of the copy; up to 16 bytes behind it are overwritten too.
    #[inline(always)]
    pub fn copy_loosely(self, to: Address, from: Address, bytes: usize) -> Address {
        if bytes > 256 {
            self.copy(to, from, bytes);
        } else {
            let mut done = 0;
            while done < bytes {
                self.set_bytes16(to + done, self.bytes16(from + done));
                done += 16;
            }
        }
        to + bytes
    }

    #[inline(always)]
    pub fn fill(self, to: Address, byte: u8, bytes: usize) {
        if bytes > 0 {
            // SAFETY: as above.
            unsafe { write_bytes(self.at(to, bytes), byte, bytes) }
        }
    }

    /// Writes a byte and returns the address behind it.
    #[inline(always)]
    pub fn put(self, to: Address, byte: u8) -> Address {
        self.set_u8(to, byte);
        to + 1
    }

    /// True if two ranges of this many bytes are equal.
    #[inline(always)]
    pub fn equal(self, one: Address, other: Address, bytes: usize) -> bool {
        self.slice(one, bytes) == self.slice(other, bytes)
    }
}

/// The `WINDOW_BYTES` from an address on: they are checked once, and read by constant offsets.
#[derive(Clone, Copy)]
pub struct Window(*const u8);

impl Window {
    #[inline(always)]
    fn read<const OFFSET: usize, T>(self) -> T {
        const { assert!(OFFSET + size_of::<T>() <= WINDOW_BYTES) };
        // SAFETY: all of the window is within the memory, or the engine checks it; only types without invalid values are read.
        unsafe { self.0.add(OFFSET).cast::<T>().read_unaligned() }
    }

    #[inline(always)]
    pub fn u8<const OFFSET: usize>(self) -> u8 {
        self.read::<OFFSET, u8>()
    }

    #[inline(always)]
    pub fn u32<const OFFSET: usize>(self) -> u32 {
        self.read::<OFFSET, u32>()
    }

    #[inline(always)]
    pub fn word<const OFFSET: usize>(self) -> usize {
        self.u32::<OFFSET>() as usize
    }

    #[inline(always)]
    pub fn bytes32<const OFFSET: usize>(self) -> [Bytes16; 2] {
        self.read::<OFFSET, [Bytes16; 2]>()
    }
}

/// A number as it lies in the memory.
pub trait Number: Copy + PartialOrd {
    const BYTES: usize;
    fn read(memory: Memory, at: Address) -> Self;
    fn write(self, memory: Memory, at: Address);
    /// The number, or its lower half.
    fn to_u64(self) -> u64;
}

macro_rules! numbers {
    ($($type:ident $write:ident),*) => {$(
        impl Number for $type {
            const BYTES: usize = size_of::<$type>();

            #[inline(always)]
            fn read(memory: Memory, at: Address) -> Self {
                memory.$type(at)
            }

            #[inline(always)]
            fn write(self, memory: Memory, at: Address) {
                memory.$write(at, self);
            }

            #[inline(always)]
            fn to_u64(self) -> u64 {
                self as u64
            }
        }
    )*};
}

numbers!(u8 set_u8, u32 set_u32, i32 set_i32, u64 set_u64, i64 set_i64, i128 set_i128);

/// True if this many bytes fit before the limit. An address and a length may add up to more than 4 GiB.
#[inline(always)]
pub fn fits(at: Address, bytes: u64, limit: Address) -> bool {
    at as u64 + bytes <= limit as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn refuses_what_is_not_within_it() {
        let mut bytes = [7u8; WINDOW_BYTES + 1];
        let memory = unsafe { Memory::over(bytes.as_mut_ptr(), bytes.len()) };
        assert_eq!(memory.window(1).u8::<{ WINDOW_BYTES - 1 }>(), 7);
        assert_eq!(memory.slice(WINDOW_BYTES, 1), [7]);
        let is_refused = |touch: &dyn Fn()| catch_unwind(AssertUnwindSafe(touch)).is_err();
        for address in [2, WINDOW_BYTES + 1, usize::MAX] {
            assert!(is_refused(&|| assert_eq!(memory.window(address).u8::<0>(), 7)));
            assert!(is_refused(&|| memory.set_u8(address, 0)));
            assert!(is_refused(&|| assert_eq!(memory.slice(address, WINDOW_BYTES), [7; WINDOW_BYTES])));
            assert!(is_refused(&|| memory.copy(0, address, WINDOW_BYTES)));
        }
    }
}
