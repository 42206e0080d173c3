import { gzipSync } from 'node:zlib'

export type ParquetCompression = 'zstd' | 'snappy' | 'gzip' | 'none'

/** Compresses one page into a buffer of its own. The same bytes give the same bytes. */
export type CompressPage = (page: Uint8Array) => Uint8Array

export async function loadPageCompressor(compression: ParquetCompression): Promise<CompressPage> {
  switch (compression) {
    case 'zstd': {
      const zstd = await import('@bokuweb/zstd-wasm')
      await (zstdStart ??= zstd.init())
      return (page) => zstd.compress(page, zstdLevel)
    }
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

/** The library has one memory a thread, which a second start would replace. */
let zstdStart: Promise<void> | undefined

/** Level 3 makes files 2 % smaller in one and a half times the time. */
const zstdLevel = 1
