#![no_main]

#[path = "../../crates/kernel/tests/reference/mod.rs"]
mod reference;

use reference::Choices;
use reference::rows::{check_encoder, choose_csv};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let form = choose_csv(&mut choices);
    check_encoder(&mut choices, form);
});
