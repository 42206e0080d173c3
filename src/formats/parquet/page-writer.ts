import { createRequire } from 'node:module'
import { crc32, gzipSync } from 'node:zlib'
import { chooseKernel } from '../../records/memory/load-kernel.ts'
import { formatThrift, thrift, type ThriftFields } from './thrift.ts'

export const encodings = { plain: 0, rle: 3, rleDictionary: 8 } as const

/** Collects the compressed pages of a row group, each after its header. */
export class PageWriter {
  readonly #compress: CompressPage
  readonly #parts: Uint8Array[] = []
  #bytes = 0
  #uncompressedBytes = 0

  constructor(compress: CompressPage) {
    this.#compress = compress
  }

  /** Bytes written, with the headers. */
  get bytes(): number {
    return this.#bytes
  }

  /** Size before compression, with the headers. */
  get uncompressedBytes(): number {
    return this.#uncompressedBytes
  }

  writeDictionary(page: Uint8Array, values: number): void {
    const header = thrift.struct({ 1: thrift.i32(values), 2: thrift.i32(encodings.plain) })
    this.#write(page, { 1: thrift.i32(pageTypes.dictionary), 7: header })
  }

  writeData(page: Uint8Array, slots: number, encoding: number): void {
    const rle = thrift.i32(encodings.rle)
    const header = thrift.struct({ 1: thrift.i32(slots), 2: thrift.i32(encoding), 3: rle, 4: rle })
    this.#write(page, { 1: thrift.i32(pageTypes.data), 5: header })
  }

  join(): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(this.#bytes)
    let at = 0
    for (const part of this.#parts) {
      joined.set(part, at)
      at += part.length
    }
    return joined
  }

  #write(page: Uint8Array, fields: ThriftFields): void {
    const compressed = this.#compress(page)
    const sizes = { 2: thrift.i32(page.length), 3: thrift.i32(compressed.length), 4: thrift.i32(crc32(compressed) | 0) }
    const header = formatThrift({ ...fields, ...sizes })
    this.#parts.push(header, compressed)
    this.#bytes += header.length + compressed.length
    this.#uncompressedBytes += header.length + page.length
  }
}

export const pageTypes = { data: 0, dictionary: 2 } as const

export type ParquetCompression = 'zstd' | 'snappy' | 'gzip' | 'none'

/** Compresses one page into a buffer of its own. The same input gives the same bytes. */
export type CompressPage = (page: Uint8Array) => Uint8Array

export async function loadPageCompressor(compression: ParquetCompression): Promise<CompressPage> {
  switch (compression) {
    case 'zstd':
      return (zstd ??= loadZstd())
    case 'snappy': {
      const { compress } = await import('snappyjs')
      return (page) => compress(new Uint8Array(page))
    }
    case 'gzip':
      return (page) => gzipSync(page)
    case 'none':
      return (page) => new Uint8Array(page)
  }
}

/** One for all files of the thread: the library has one memory, and a second start would replace it. */
let zstd: Promise<CompressPage> | undefined

/**
 * In native code if the kernel is; else compresses with one context for all pages, which takes 40 % less time for pages of 16 KiB. The call with a context
 * needs a dictionary; an empty one changes nothing.
 */
async function loadZstd(): Promise<CompressPage> {
  const { addon } = chooseKernel()
  if (addon !== null) return (page) => addon.compressZstd(page, zstdLevel)
  const library = createRequire(import.meta.url)('@bokuweb/zstd-wasm') as ZstdLibrary
  await library.init()
  const context = library.createCCtx()
  const noDictionary = new Uint8Array(0)
  return (page) => library.compressUsingDict(context, page, noDictionary, zstdLevel)
}

type ZstdLibrary = typeof import('@bokuweb/zstd-wasm')

/** Level 3 makes pages of 256 KiB 2 % smaller. */
const zstdLevel = 1
