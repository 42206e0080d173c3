import { closeSync, openSync, readSync } from 'node:fs'
import { arch, env, platform } from 'node:process'
import { CatalogueError } from '../../errors.ts'
import { readKernelModule, requireKernelAddon } from './kernel-files.ts'
import type { ThreadsOfAddon } from './kernel-threads.ts'

/** What the hot path runs on. The reference path is that of JavaScript, record by record. */
export type KernelTarget = 'native' | 'wasm' | 'reference'

export interface KernelChoice {
  readonly target: KernelTarget
  /** The native code; null for the others. */
  readonly addon: Addon | null
  /** Why it is not native code; null if it is, or if a variable asked for another. */
  readonly reason: string | null
}

/**
 * The functions of the kernel, by name. All arguments and results are words: addresses, counts and flags; but the second
 * argument of `encodeRowGroup` is a function.
 */
export type KernelFunctions = WebAssembly.Instance['exports']

export interface Kernel {
  readonly functions: KernelFunctions
  /** Called after the memory has grown. */
  grow(memory: WebAssembly.SharedMemory): void
}

/**
 * The kernel that this process uses: native code if there is a binary for this platform that loads, else WebAssembly;
 * CATALOGUE_KERNEL=native, wasm or reference forces one. Throws USAGE for another value, and for native code that can't
 * be had.
 */
export function chooseKernel(): KernelChoice {
  const asked = env[variable] ?? ''
  if (asked === 'wasm' || asked === 'reference') return { target: asked, addon: null, reason: null }
  if (asked !== '' && asked !== 'native')
    throw new CatalogueError('USAGE', `${variable}: expected native, wasm or reference, got ${JSON.stringify(asked)}`)
  loaded ??= loadAddon()
  if (loaded.addon === null && asked === 'native')
    throw new CatalogueError(
      'USAGE',
      `${variable}: expected native code for ${platform}-${arch}, got none: ${loaded.reason}`,
    )
  return { target: loaded.addon === null ? 'wasm' : 'native', ...loaded }
}

/** What became of the binary; tried once a thread. */
let loaded: Pick<KernelChoice, 'addon' | 'reason'> | undefined

/** The choice in words, with the reason for WebAssembly if none was asked for. */
export function describeKernel(): string {
  const { target, reason } = chooseKernel()
  if (target === 'native') return `native code for ${platform}-${arch}`
  if (target === 'reference') return 'none, the reference path'
  return reason === null ? 'WebAssembly' : `WebAssembly (no native code for ${platform}-${arch}: ${reason})`
}

/** The first page of a memory is the kernel's own: the stack of a kernel that is alone in it, and constants. */
export const kernelBytes = 65_536

export const stackBytes = 16_384

/**
 * Opens the kernel over a memory. Several of one memory need a stack each, `stackBytes` that end at an address; as
 * WebAssembly all write the same constants to the first page. `npm run kernel` builds what is loaded from kernel/.
 */
export function loadKernel(memory: WebAssembly.SharedMemory, stackEnd?: number): Kernel {
  const { addon } = chooseKernel()
  return addon === null ? openModule(memory, stackEnd) : openAddon(addon, memory)
}

function openModule(memory: WebAssembly.SharedMemory, stackEnd: number | undefined): Kernel {
  module ??= new WebAssembly.Module(readKernelModule())
  let compress: unknown
  const imports = { memory, compress: (...words: number[]) => (compress as OfWords)(...words) }
  const { exports } = new WebAssembly.Instance(module, { env: imports })
  if (stackEnd !== undefined) (exports['__stack_pointer'] as WebAssembly.Global).value = stackEnd
  const encodeRowGroup = (group: number, compressor: unknown): unknown => {
    compress = compressor
    return (exports['encodeRowGroup'] as OfWords)(group)
  }
  return { functions: { ...exports, encodeRowGroup }, grow: () => undefined }
}

type OfWords = (...words: number[]) => number

/** Compiled once a thread. */
let module: WebAssembly.Module | undefined

function openAddon({ Kernel: AddonKernel }: Addon, memory: WebAssembly.SharedMemory): Kernel {
  const kernel = new AddonKernel(new Uint8Array(memory.buffer))
  const names = Object.getOwnPropertyNames(AddonKernel.prototype).filter((name) => name !== 'constructor')
  return {
    functions: Object.fromEntries(names.map((name) => [name, kernel[name]?.bind(kernel)])),
    grow: ({ buffer }) => kernel.grow(new Uint8Array(buffer)),
  }
}

interface Addon {
  readonly Kernel: new (bytes: Uint8Array) => AddonKernel
  readonly Threads: new (count: number) => ThreadsOfAddon
}

interface AddonKernel {
  grow(bytes: Uint8Array): void
  readonly [name: string]: (...words: never[]) => unknown
}

function loadAddon(): Pick<KernelChoice, 'addon' | 'reason'> {
  if (platform === 'linux' && arch === 'x64' && !hasAvx2()) return { addon: null, reason: 'the processor has no AVX2' }
  try {
    return { addon: requireKernelAddon(`${platform}-${arch}`) as Addon, reason: null }
  } catch (error) {
    // None is shipped for this platform, or its loader refuses it: another C library, or a folder that no code may come from.
    return { addon: null, reason: (error as Error).message.split('\n', 1).join() }
  }
}

/** Tests for what the binary for Linux on x64 uses, which processors have since 2013 or 2015. */
function hasAvx2(): boolean {
  const [flags = ''] = /^flags.*$/m.exec(readHead('/proc/cpuinfo')) ?? []
  return [' avx2 ', ' bmi2 '].every((flag) => `${flags} `.includes(flag))
}

/** The first processor is enough: with many, all of the file takes milliseconds. */
function readHead(path: string): string {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(4096)
    return head.toString('latin1', 0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

const variable = 'CATALOGUE_KERNEL'
