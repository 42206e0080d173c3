//! Names of members, choices and conditions, which are compared thirty-two bytes at once.

use crate::layout::*;
use crate::memory::{Address, Memory};

impl Memory {
    /// True if the bytes at an address are those of a name, as far as the mask goes. Up to 32 are read.
    #[inline(always)]
    pub(super) fn is_name(self, name: Address, address: Address, mask: u32) -> bool {
        let first = self.bytes16(name).eq(self.bytes16(address)).bits();
        if first & mask != mask & 0xffff {
            return false;
        }
        if mask < 0x1_0000 {
            return true;
        }
        let second = self.bytes16(name + 16).eq(self.bytes16(address + 16)).bits() << 16;
        second & mask == mask & 0xffff_0000
    }

    /// True if a text is a name, all of it.
    #[inline(always)]
    pub(super) fn is_all_of_name(self, name: Address, address: Address, length: usize) -> bool {
        self.word(name + NAME_LENGTH) == length && self.is_name(name, address, self.u32(name + NAME_MASK_ALONE))
    }

    /// The member of a name, found by hash: the guess was wrong. 0 if there is none.
    pub(super) fn find_member(self, node: Address, name: Address, length: usize) -> Address {
        if length == 0 {
            return 0;
        }
        let mask = self.word(node + OBJECT_SLOT_MASK);
        let slots = self.word(node + OBJECT_SLOTS);
        let mut slot = self.hash_name(name, length) & mask;
        loop {
            let member = self.word(slots + slot * 4);
            if member == 0 || self.is_all_of_name(member, name, length) {
                return member;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// `compileScan` has the same function.
    fn hash_name(self, name: Address, length: usize) -> usize {
        let byte = |at: Address| usize::from(self.u8(at));
        length * 131 + byte(name) * 31 + byte(name + length - 1) * 7 + byte(name + length / 2)
    }
}
