//! The walk over the lines of a block. What it knows between two calls is in the scope.
#![allow(non_snake_case)]

use crate::MEMORY;
use kernel::layout::{LINE_ACCEPTED, LINE_FALLBACK, LINES_ENDED};
use kernel::memory::Address;
use kernel::walk::{self, Verdict, Walk};

#[unsafe(no_mangle)]
extern "C" fn beginBlock(scope: Address, ids: Address, ids_end: Address) {
    walk::begin_block(MEMORY, scope, ids, ids_end);
}

#[unsafe(no_mangle)]
extern "C" fn beginWalk(scope: Address, bytes: Address, index: Address, escapes: Address) {
    Walk::begin(MEMORY, scope, bytes, index, escapes).save();
}

/// Returns the verdict, or the negative number of a header whose region is full.
#[unsafe(no_mangle)]
extern "C" fn walkLines(scope: Address, end: Address) -> i32 {
    resume(scope, |walk| walk.walk_lines(end))
}

#[unsafe(no_mangle)]
extern "C" fn walkLine(scope: Address) -> i32 {
    resume(scope, Walk::walk_line)
}

#[unsafe(no_mangle)]
extern "C" fn rollBack(scope: Address) {
    Walk::restore(MEMORY, scope).roll_back();
}

#[unsafe(no_mangle)]
extern "C" fn expectNext(scope: Address) {
    walk::expect_next(MEMORY, scope);
}

#[unsafe(no_mangle)]
extern "C" fn expectNone(scope: Address) {
    walk::expect_none(MEMORY, scope);
}

fn resume(scope: Address, run: impl FnOnce(&mut Walk) -> Verdict) -> i32 {
    let mut walk = Walk::restore(MEMORY, scope);
    let verdict = run(&mut walk);
    walk.save();
    match verdict {
        Verdict::Accepted => LINE_ACCEPTED as i32,
        Verdict::Fallback => LINE_FALLBACK as i32,
        Verdict::Ended => LINES_ENDED as i32,
        Verdict::NoRoom(header) => -1 - header as i32,
    }
}
