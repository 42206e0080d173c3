import { readFileSync } from 'node:fs'

/** The first page of a memory is the kernel's own: the stack of a kernel that is alone in it, and constants. */
export const kernelBytes = 65_536

/**
 * Instantiates the kernel over a memory. Several of one memory need a stack each: the address behind 16 KiB of it. All
 * write the same constants to the first page. `npm run kernel` builds kernel.wasm from kernel/.
 */
export function loadKernel(memory: WebAssembly.SharedMemory, stackEnd?: number): WebAssembly.Instance['exports'] {
  module ??= new WebAssembly.Module(readFileSync(new URL('kernel.wasm', import.meta.url)))
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  if (stackEnd !== undefined) (exports['__stack_pointer'] as WebAssembly.Global).value = stackEnd
  return exports
}

/** Compiled once a thread. */
let module: WebAssembly.Module | undefined

export const stackBytes = 16_384
