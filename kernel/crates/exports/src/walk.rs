//! The work on a block. What it knows between two calls is in its words and in the scope of its walk.

use kernel::block::{Answer, Block, encode_piece};
use kernel::encode::cells::to_word;
use kernel::layout::{BLOCK_DONE, LINE_ACCEPTED, LINE_FALLBACK, LINE_UNINDEXED};
use kernel::memory::{Address, Memory};
use kernel::walk::Walk;

/// Returns the answer, or the negative number of a header whose region is full.
pub fn runBlock(memory: Memory, block: Address) -> i32 {
    match Block::new(memory, block).run() {
        Answer::Done => BLOCK_DONE as i32,
        Answer::Decoded => LINE_ACCEPTED as i32,
        Answer::Fallback => LINE_FALLBACK as i32,
        Answer::Unindexed => LINE_UNINDEXED as i32,
        Answer::NoRoom(header) => -1 - header as i32,
    }
}

/// Encodes the rows of a piece between two addresses. Returns how many bytes it wrote, or why nothing.
pub fn encodePiece(memory: Memory, piece: Address, to: Address, limit: Address) -> i32 {
    to_word(encode_piece(memory, piece, to, limit))
}

/// Undoes everything that the last line has written.
pub fn rollBack(memory: Memory, scope: Address) {
    Walk::restore(memory, scope).roll_back();
}
