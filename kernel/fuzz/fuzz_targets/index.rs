#![no_main]

#[path = "../../crates/kernel/tests/reference/mod.rs"]
mod reference;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reference::index::check_scan(bytes));
