//! Steps over white space and punctuation between values. `t` is always the address, in the index, of the next structural
//! character; `p` that of a byte.

use crate::memory::{Address, Memory};

const NULL: u32 = u32::from_le_bytes(*b"null");

impl Memory {
    /// The address that the index holds at `t`.
    #[inline(always)]
    pub(crate) fn token(self, t: Address) -> Address {
        self.word(t)
    }

    #[inline(always)]
    pub(crate) fn skip_blanks(self, p: Address) -> Address {
        if self.u8(p) > b' ' { p } else { self.skip_every_blank(p) }
    }

    #[cold]
    #[inline(never)]
    fn skip_every_blank(self, mut p: Address) -> Address {
        // A line break is no blank: outside strings it is in the index.
        while matches!(self.u8(p), b' ' | b'\t' | b'\r') {
            p += 1;
        }
        p
    }

    /// True if only white space is between two addresses.
    #[inline(always)]
    pub(crate) fn is_blank(self, from: Address, to: Address) -> bool {
        from == to || self.skip_every_blank(from) >= to
    }

    /// `t`, if only white space is between the end of a value and that structural character; else 0.
    #[inline(always)]
    pub(crate) fn end_at(self, t: Address, end: Address) -> Address {
        if self.is_blank(end, self.token(t)) { t } else { 0 }
    }

    /// Over `null`, the only value without an effect.
    pub(crate) fn walk_null(self, t: Address, p: Address) -> Address {
        if self.u32(p) == NULL { self.end_at(t, p + 4) } else { 0 }
    }
}
