//! The kernel as an addon of Node: all addresses are those of a memory that JavaScript has made.
#![allow(non_snake_case, clippy::too_many_arguments)]

use exports::{Bytes, Memory, ZSTD_LEVEL};
use napi::bindgen_prelude::{Env, FnArgs, Function, Object, Result, Uint8Array};
use napi_derive::napi;
use std::cell::RefCell;
use threads::Threads;
use zstd_safe::CCtx;

mod threads;

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

/// Compresses a page at an address, of a length, to another address. Returns how many bytes it wrote.
type Compress<'a> = Function<'a, FnArgs<(u32, u32, u32)>, u32>;

#[napi]
impl Kernel {
    /// Compresses with zstd unless a function is given.
    #[napi(catch_unwind, js_name = "encodeRowGroup")]
    pub fn encode_row_group(&self, group: u32, compress: Option<Compress>) -> i32 {
        let memory = self.memory();
        exports::encodeRowGroup(memory, group as usize, |page, room| match &compress {
            None => compress_zstd(memory, page, room),
            Some(compress) => {
                let words = (page.address as u32, page.length as u32, room.address as u32);
                compress.call(words.into()).unwrap_or_else(|error| panic!("{error}")) as usize
            }
        })
    }

    /// `runBlock` in another thread, to which the ranges that it works on belong until then.
    #[napi(js_name = "runBlockOn")]
    pub fn run_block_on<'env>(&self, env: &'env Env, threads: &Threads, block: u32) -> Result<Object<'env>> {
        threads.run(env, self.memory(), move |memory| exports::runBlock(memory, block as usize))
    }

    /// `inflate` in another thread.
    #[napi(js_name = "inflateOn")]
    pub fn inflate_on<'env>(&self, env: &'env Env, threads: &Threads, state: u32) -> Result<Object<'env>> {
        threads.run(env, self.memory(), move |memory| exports::inflate(memory, state as usize) as i32)
    }

    /// `encodeRowGroup` with zstd in another thread.
    #[napi(js_name = "encodeRowGroupOn")]
    pub fn encode_row_group_on<'env>(&self, env: &'env Env, threads: &Threads, group: u32) -> Result<Object<'env>> {
        threads.run(env, self.memory(), move |memory| {
            exports::encodeRowGroup(memory, group as usize, |page, room| compress_zstd(memory, page, room))
        })
    }

    fn memory(&self) -> Memory {
        // SAFETY: `bytes` keeps the memory alive. Threads that share it work on ranges of their own.
        unsafe { Memory::over(self.bytes.as_ptr().cast_mut(), self.bytes.len()) }
    }
}

thread_local! {
    static ZSTD: RefCell<CCtx<'static>> = RefCell::new(CCtx::create());
}

/// Compresses with one context for all pages of a thread. The bytes are those of the same version in WebAssembly.
fn compress_zstd(memory: Memory, page: Bytes, room: Bytes) -> usize {
    ZSTD.with_borrow_mut(|context| {
        memory.convert(page, room, |page, room| {
            let compressed = context.compress_using_dict(room, page, &[], ZSTD_LEVEL as i32);
            compressed.unwrap_or_else(|code| panic!("{}", zstd_safe::get_error_name(code)))
        })
    })
}
