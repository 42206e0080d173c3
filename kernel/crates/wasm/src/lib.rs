//! The kernel as WebAssembly: all addresses are those of the module's memory.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![cfg(target_arch = "wasm32")]
#![allow(non_snake_case)]

use exports::{Bytes, Memory};

macro_rules! functions {
    ($($name:ident($($argument:ident),*) $(-> $result:ident)?;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: u32),*) $(-> $result)? {
            exports::$name(Memory::linear(), $($argument as _),*) $(as $result)?
        }
    )*};
}

exports::for_each_export!(functions);

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Compresses a page with what the caller of `encodeRowGroup` gave.
    safe fn compress(from: u32, bytes: u32, to: u32) -> u32;
}

#[unsafe(no_mangle)]
extern "C" fn encodeRowGroup(group: u32) -> i32 {
    exports::encodeRowGroup(Memory::linear(), group as usize, |page: Bytes, room: Bytes| {
        compress(page.address as u32, page.length as u32, room.address as u32) as usize
    })
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
