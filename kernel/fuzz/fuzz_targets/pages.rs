//! Record batches, whole or damaged, as a row group: every address stays within the memory.
#![no_main]

#[path = "../../crates/kernel/tests/reference/mod.rs"]
mod reference;

use reference::Choices;
use reference::row_group::check_row_group;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_row_group(&mut Choices(bytes)));
