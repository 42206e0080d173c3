import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/* The files of the kernel beside the code. The library for bundlers has another module in place of this one: see build/portable.ts. */

export function readKernelModule(): Uint8Array<ArrayBuffer> {
  return readFileSync(new URL('kernel.wasm', import.meta.url))
}

/** Throws what Node throws if none is shipped for a platform, or if its loader refuses it. */
export function requireKernelAddon(target: string): unknown {
  return createRequire(import.meta.url)(fileURLToPath(new URL(`kernel-${target}.node`, import.meta.url)))
}
