import { crc32 } from 'node:zlib'
import { BlockWriter } from '../../../storage/block-writer.ts'
import { GzipWriter } from '../../../storage/gzip-writer.ts'
import type { StagedFile } from '../../../storage/staged-file.ts'

export interface DeflatedBytes {
  readonly crc: number
  readonly bytes: number
  readonly compressedBytes: number
}

/** Compresses one file of a zip while appending it to a staged file. */
export class DeflatedPart {
  readonly #deflate: GzipWriter
  readonly #blocks: BlockWriter
  #crc = 0
  #bytes = 0
  #compressedBytes = 0

  constructor(staged: StagedFile) {
    this.#deflate = new GzipWriter(async (chunk) => {
      this.#compressedBytes += chunk.length
      await staged.write(chunk)
    }, 'deflate')
    this.#blocks = new BlockWriter((block) => this.#compress(block))
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    return this.#blocks.write(bytes)
  }

  async end(): Promise<DeflatedBytes> {
    await this.#blocks.flush()
    await this.#deflate.end()
    return { crc: this.#crc, bytes: this.#bytes, compressedBytes: this.#compressedBytes }
  }

  destroy(): void {
    this.#deflate.destroy()
  }

  #compress(block: Uint8Array): Promise<void> {
    this.#crc = crc32(block, this.#crc)
    this.#bytes += block.length
    return this.#deflate.write(block)
  }
}
