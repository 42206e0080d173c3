//! The walk over the lines of a block. What it knows between two calls is in the scope.

use kernel::layout::{LINE_ACCEPTED, LINE_FALLBACK, LINES_ENDED};
use kernel::memory::{Address, Memory};
use kernel::walk::{self, Verdict, Walk};

pub fn beginBlock(memory: Memory, scope: Address, ids: Address, ids_end: Address) {
    walk::begin_block(memory, scope, ids, ids_end);
}

pub fn beginWalk(memory: Memory, scope: Address, bytes: Address, index: Address, escapes: Address) {
    Walk::begin(memory, scope, bytes, index, escapes).save();
}

/// Returns the verdict, or the negative number of a header whose region is full.
pub fn walkLines(memory: Memory, scope: Address, end: Address) -> i32 {
    resume(memory, scope, |walk| walk.walk_lines(end))
}

pub fn walkLine(memory: Memory, scope: Address) -> i32 {
    resume(memory, scope, Walk::walk_line)
}

pub fn rollBack(memory: Memory, scope: Address) {
    Walk::restore(memory, scope).roll_back();
}

pub fn expectNext(memory: Memory, scope: Address) {
    walk::expect_next(memory, scope);
}

pub fn expectNone(memory: Memory, scope: Address) {
    walk::expect_none(memory, scope);
}

fn resume(memory: Memory, scope: Address, run: impl FnOnce(&mut Walk) -> Verdict) -> i32 {
    let mut walk = Walk::restore(memory, scope);
    let verdict = run(&mut walk);
    walk.save();
    match verdict {
        Verdict::Accepted => LINE_ACCEPTED as i32,
        Verdict::Fallback => LINE_FALLBACK as i32,
        Verdict::Ended => LINES_ENDED as i32,
        Verdict::NoRoom(header) => -1 - header as i32,
    }
}
