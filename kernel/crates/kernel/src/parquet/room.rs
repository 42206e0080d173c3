//! The room of a row group: pages grow from its lower end, and what a chunk needs meanwhile from its upper end.

use super::Refusal;
use crate::memory::{Address, fits};

/// Bytes behind each range that may be read and written, and mean nothing.
const SPARE: u64 = 64;

pub struct Room {
    pub low: Address,
    pub high: Address,
}

impl Room {
    /// A range at the upper end.
    pub fn take(&mut self, bytes: u64) -> Result<Address, Refusal> {
        let bytes = bytes.next_multiple_of(16) + SPARE;
        if !fits(self.low, bytes, self.high) {
            return Err(Refusal::NoRoom);
        }
        self.high -= bytes as usize;
        Ok(self.high)
    }

    /// The lower end, if these bytes fit there.
    pub fn expect(&self, bytes: usize) -> Result<Address, Refusal> {
        if fits(self.low, bytes as u64, self.high) { Ok(self.low) } else { Err(Refusal::NoRoom) }
    }
}
