//! JSON text of values as they were delivered: white space between tokens is left out, and numbers and strings are written as
//! JavaScript writes them.

use crate::memory::{Address, Memory};
use crate::walk::Walk;

impl Walk {
    /// Appends the value at `p`; returns the structural character behind it.
    pub(super) fn emit_raw(&mut self, mut t: Address, p: Address) -> Address {
        let memory = self.memory;
        if memory.u8(p) == b'"' {
            return self.emit_string(t);
        }
        if memory.token(t) != p {
            self.emit_scalar(p);
            return t;
        }
        let mut depth = 0;
        loop {
            let sign = memory.token(t);
            let byte = memory.u8(sign);
            if byte == b'"' {
                t = self.emit_string(t);
                continue;
            }
            self.emit(sign, sign + 1);
            t += 4;
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return t;
                    }
                    continue;
                }
                _ => (),
            }
            let next = memory.skip_blanks(sign + 1);
            if next < memory.token(t) {
                self.emit_scalar(next);
            }
        }
    }

    /// Appends the string that begins at this structural character.
    #[inline(always)]
    pub(super) fn emit_string(&mut self, t: Address) -> Address {
        self.emit_text(self.memory.token(t), self.memory.token(t + 4));
        t + 8
    }
}

impl Memory {
    /// Over a value that the walk has passed: the structural character behind it.
    pub(in crate::walk) fn skip_value(self, mut t: Address, p: Address) -> Address {
        if self.u8(p) == b'"' {
            return t + 8;
        }
        if self.token(t) != p {
            return t;
        }
        let mut depth = 0;
        loop {
            match self.u8(self.token(t)) {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => (),
            }
            t += 4;
            if depth == 0 {
                return t;
            }
        }
    }
}
