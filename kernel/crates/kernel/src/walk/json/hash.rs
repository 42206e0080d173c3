//! The hash of a record's content, as src/records/flatten/content-hash.ts defines it.

use crate::layout::*;
use crate::memory::{Address, Memory};
use crate::walk::Walk;
use sha2::{Digest, Sha256};

/// The cell of the hash among those of the record.
const HASH_CELL: usize = SCOPE_CELLS + 24;

/// The bytes of a SHA-256 that a hash is made of.
const HASH_BYTES: usize = 8;

impl Walk {
    /// Puts the hash of a record that was walked into its cell; false if its content can't be written. The record is at `t`, bare or
    /// in an envelope.
    pub(in crate::walk) fn put_content_hash(&mut self, t: Address, is_bare: bool, first_escape: Address) -> bool {
        let Self { memory, scope, .. } = *self;
        let record = memory.word(scope + SCOPE_RECORD);
        let start = if is_bare { t } else { memory.find_result(t + 4) };
        let version = memory.word(scope + SCOPE_VERSION);
        let Some(content) = self.write_content(record, start, first_escape, version) else { return false };
        let hash = self.find_arena(HASH_BYTES * 2);
        if hash == 0 {
            return false;
        }
        let sha256 = Sha256::digest(memory.slice(content.address, content.length));
        let mut to = hash;
        for byte in &sha256[..HASH_BYTES] {
            to = memory.put(memory.put(to, to_digit(byte >> 4)), to_digit(byte & 15));
        }
        self.take_arena(to);
        memory.set_u64(scope + HASH_CELL, hash as u64 | ((to - hash) as u64) << 32);
        true
    }
}

fn to_digit(value: u8) -> u8 {
    b"0123456789abcdef"[usize::from(value)]
}

impl Memory {
    /// The value of `result`, one of the members of an envelope, of which the first has its key here.
    fn find_result(self, mut t: Address) -> Address {
        while self.u8(self.token(t) + 1) != b'r' {
            t = self.skip_member(t) + 4;
        }
        t + 12
    }
}
