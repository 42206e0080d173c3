//! A memory with canaries, and slow counterparts of the kernel's functions, for tests and fuzz targets.
#![allow(dead_code)]

pub mod index;
pub mod inflate;
pub mod program;
pub mod row_group;
pub mod rows;
pub mod table;

use kernel::memory::{Address, Memory};

/// What may be read and written behind each range that is taken.
const SPARE: usize = 64;
const CANARY: u8 = 0xa5;

/// A memory whose ranges are taken one behind the other.
pub struct Space {
    pub memory: Memory,
    bytes: Vec<u8>,
    next: Address,
}

impl Space {
    pub fn new(size: usize) -> Self {
        let mut bytes = vec![CANARY; size];
        // SAFETY: the buffer is not moved, and nothing else touches it while the memory is in use.
        let memory = unsafe { Memory::over(bytes.as_mut_ptr(), size) };
        Self { memory, bytes, next: SPARE }
    }

    pub fn take(&mut self, bytes: usize) -> Address {
        let address = self.next;
        self.next += (bytes + SPARE).next_multiple_of(16);
        assert!(self.next <= self.bytes.len(), "expected room for {bytes} bytes more");
        address
    }

    pub fn put(&mut self, bytes: &[u8]) -> Address {
        let address = self.take(bytes.len());
        for (index, byte) in bytes.iter().enumerate() {
            self.memory.set_u8(address + index, *byte);
        }
        address
    }

    pub fn put_words(&mut self, words: &[usize]) -> Address {
        let bytes: Vec<u8> = words.iter().flat_map(|word| (*word as u32).to_le_bytes()).collect();
        self.put(&bytes)
    }

    pub fn words(&self, address: Address, count: usize) -> Vec<usize> {
        (0..count).map(|index| self.memory.word(address + index * 4)).collect()
    }

    /// The bytes before an address, to compare with later.
    pub fn before(&self, address: Address) -> Vec<u8> {
        self.memory.slice(0, address).to_vec()
    }

    /// True if nothing from an address on was ever written.
    pub fn is_untouched(&self, from: Address) -> bool {
        self.memory
            .slice(from, self.bytes.len() - from)
            .chunks(4096)
            .all(|chunk| chunk == &[CANARY; 4096][..chunk.len()])
    }
}

/// Choices that bytes make, all 0 behind their end.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    pub fn word(&mut self) -> usize {
        usize::from(self.byte()) << 8 | usize::from(self.byte())
    }

    pub fn is(&mut self) -> bool {
        self.byte() & 1 != 0
    }
}
