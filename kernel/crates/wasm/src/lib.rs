//! The kernel as WebAssembly: all addresses are those of the module's memory.
#![cfg_attr(not(test), no_std)]
#![cfg(target_arch = "wasm32")]

use kernel::memory::{Address, Memory};

const MEMORY: Memory = Memory::linear();

#[cfg(not(test))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

#[unsafe(no_mangle)]
extern "C" fn digest(bytes: Address, length: usize, to: Address) {
    kernel::digest::digest(MEMORY, bytes, length, to);
}

#[unsafe(no_mangle)]
extern "C" fn countLineBreaks(bytes: Address, length: usize) -> usize {
    kernel::digest::count_line_breaks(MEMORY, bytes, length)
}

#[unsafe(no_mangle)]
extern "C" fn scan(bytes: Address, length: usize, index: Address, escapes: Address) -> usize {
    kernel::scan::scan(MEMORY, bytes, length, index, escapes)
}
