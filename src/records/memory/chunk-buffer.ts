import { copyBytes, noBytes } from './copy-bytes.ts'

/** Copies of bytes that wait to be written, in chunks of shared memory that are reused, as those of `BlockBuffers`. */
export class ChunkBuffer {
  #full: Buffer[] = []
  #open: Buffer = noBytes
  #end = 0

  add(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0;) {
      if (this.#end === this.#open.length) this.#begin()
      const fitting = rest.subarray(0, this.#open.length - this.#end)
      copyBytes(fitting, this.#open, this.#end)
      this.#end += fitting.length
      rest = rest.subarray(fitting.length)
    }
  }

  /** Gives the bytes that were added since the last call, in order. */
  cut(): Buffer[] {
    const chunks = this.#end === 0 ? [] : [...this.#full, this.#open.subarray(0, this.#end)]
    this.#full = []
    this.#open = noBytes
    this.#end = 0
    return chunks
  }

  #begin(): void {
    if (this.#end > 0) this.#full.push(this.#open)
    this.#open = freeChunks.pop() ?? Buffer.from(new SharedArrayBuffer(chunkBytes))
    this.#end = 0
  }
}

/** Takes back chunks of `cut` that nobody reads any more. */
export function releaseChunks(chunks: readonly Uint8Array[]): void {
  for (const { buffer } of chunks) {
    const isChunk = buffer instanceof SharedArrayBuffer && buffer.byteLength === chunkBytes
    if (isChunk && freeChunks.length < mostFreeChunks) freeChunks.push(Buffer.from(buffer))
  }
}

export function dropFreeChunks(): void {
  freeChunks.length = 0
}

const chunkBytes = 128 * 1024
const freeChunks: Buffer[] = []
/**
 * 64 MiB: more than wait at one time. A dropped chunk stays in memory until the last thread that has seen it collects
 * garbage, while others are made in its place.
 */
const mostFreeChunks = 512
