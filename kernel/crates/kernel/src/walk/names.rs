//! Names of members, choices and conditions, which are compared thirty-two bytes at once.

use crate::layout::*;
use crate::memory::{Address, Memory, Window};
use crate::simd::{Bytes16, Vector};

impl Window {
    /// True if this member has the key that begins with a quote here.
    #[inline(always)]
    pub(super) fn has_key(self, key: Window) -> bool {
        is_equal(self.bytes32::<0>(), key.bytes32::<1>(), self.u32::<NAME_MASK>())
    }
}

impl Memory {
    /// True if a text is a name, all of it.
    #[inline(always)]
    pub(super) fn is_all_of_name(self, name: Address, address: Address, length: usize) -> bool {
        let (name, text) = (self.window(name), self.window(address));
        name.word::<NAME_LENGTH>() == length
            && is_equal(name.bytes32::<0>(), text.bytes32::<0>(), name.u32::<NAME_MASK_ALONE>())
    }

    /// The member of a name, found by hash: the guess was wrong. 0 if there is none.
    #[inline(never)]
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

/// True if two names are equal as far as a mask goes.
#[inline(always)]
fn is_equal(one: [Bytes16; 2], other: [Bytes16; 2], mask: u32) -> bool {
    let first = one[0].eq(other[0]).mask_of(16);
    if first & mask != mask & 0xffff {
        return false;
    }
    if mask < 0x1_0000 {
        return true;
    }
    let second = one[1].eq(other[1]).mask_of(16) << 16;
    second & mask == mask & 0xffff_0000
}
