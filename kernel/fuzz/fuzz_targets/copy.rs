#![no_main]

#[path = "../../crates/kernel/tests/reference/mod.rs"]
mod reference;

use reference::Choices;
use reference::rows::{Form, check_encoder};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_encoder(&mut Choices(bytes), Form::Copy));
