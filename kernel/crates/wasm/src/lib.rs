//! The kernel as WebAssembly: all addresses are those of the module's memory.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![cfg(target_arch = "wasm32")]

mod block;
mod encode;
mod parquet;
mod walk;

use kernel::memory::Memory;

const MEMORY: Memory = Memory::linear();

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
