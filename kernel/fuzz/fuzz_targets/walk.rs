//! Any bytes as a block, walked against a small program: every address stays within the memory.
#![no_main]

#[path = "../../crates/kernel/tests/reference/mod.rs"]
mod reference;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reference::program::check_walk(bytes));
