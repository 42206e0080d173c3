//! The kernel as WebAssembly: all addresses are those of the module's memory.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![cfg(target_arch = "wasm32")]
#![allow(non_snake_case)]

use exports::Memory;

macro_rules! functions {
    ($($name:ident($($argument:ident),*) $(-> $result:ident)?;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: u32),*) $(-> $result)? {
            exports::$name(Memory::linear(), $($argument as _),*) $(as $result)?
        }
    )*};
}

exports::for_each_export!(functions);

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
