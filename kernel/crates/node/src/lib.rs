//! The kernel as an addon of Node: all addresses are those of a memory that JavaScript has made.
#![allow(non_snake_case, clippy::too_many_arguments)]

use exports::Memory;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

/// The kernel over a memory. Each thread has its own.
#[napi]
pub struct Kernel {
    /// All of the memory; keeps it alive.
    bytes: Uint8Array,
}

macro_rules! functions {
    ($($name:ident($($argument:ident),*) $(-> $result:ident)?;)*) => {
        #[napi]
        impl Kernel {
            #[napi(constructor)]
            pub fn new(bytes: Uint8Array) -> Self {
                Self { bytes }
            }

            /// Has the kernel see what the memory has grown by: its bytes stay where they are.
            #[napi]
            pub fn grow(&mut self, bytes: Uint8Array) {
                self.bytes = bytes;
            }

            $(
                #[napi(catch_unwind, js_name = $name)]
                pub fn $name(&self, $($argument: u32),*) $(-> $result)? {
                    exports::$name(self.memory(), $($argument as _),*) $(as $result)?
                }
            )*
        }
    };
}

exports::for_each_export!(functions);

impl Kernel {
    fn memory(&self) -> Memory {
        // SAFETY: `bytes` keeps the memory alive. Threads that share it work on ranges of their own.
        unsafe { Memory::over(self.bytes.as_ptr().cast_mut(), self.bytes.len()) }
    }
}
