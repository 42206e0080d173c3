//! The kernel as an addon of Node: all addresses are those of a memory that JavaScript has made.
#![allow(non_snake_case, clippy::too_many_arguments)]

use exports::Memory;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use std::cell::RefCell;
use zstd_safe::CCtx;

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
                // A panic is an error of JavaScript, and has its message.
                std::panic::set_hook(Box::new(|_| ()));
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

thread_local! {
    static ZSTD: RefCell<(CCtx<'static>, Vec<u8>)> = RefCell::new((CCtx::create(), Vec::new()));
}

/// Compresses a page, with one context for all pages of a thread. The bytes are those of the same version in WebAssembly.
#[napi(catch_unwind)]
pub fn compress_zstd(page: Uint8Array, level: i32) -> napi::Result<Uint8Array> {
    ZSTD.with_borrow_mut(|(context, room)| {
        room.resize(zstd_safe::compress_bound(page.len()).max(room.len()), 0);
        match context.compress_using_dict(&mut room[..], &page, &[], level) {
            Ok(bytes) => Ok(Uint8Array::from(&room[..bytes])),
            Err(code) => Err(napi::Error::from_reason(zstd_safe::get_error_name(code))),
        }
    })
}

impl Kernel {
    fn memory(&self) -> Memory {
        // SAFETY: `bytes` keeps the memory alive. Threads that share it work on ranges of their own.
        unsafe { Memory::over(self.bytes.as_ptr().cast_mut(), self.bytes.len()) }
    }
}
