//! Any bytes as deflated ones, in pieces of any size.
#![no_main]

#[path = "../../crates/kernel/tests/reference/mod.rs"]
mod reference;

use reference::Choices;
use reference::inflate::{Pieces, check_inflate};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let pieces = Pieces { input: 1 + choices.word() % 4096, output: 1 + choices.word() };
    check_inflate(choices.0, pieces);
});
