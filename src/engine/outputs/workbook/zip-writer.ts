import { crc32, deflateRawSync } from 'node:zlib'
import { formatDirectory, formatLocalHeader, type ZipEntry } from '../../../formats/xlsx/zip.ts'

/** Writes a zip sequentially; calls must not overlap. */
export class ZipWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void> | undefined
  readonly #entries: ZipEntry[] = []
  readonly #offsets: number[] = []
  #bytes = 0

  constructor(write: (bytes: Uint8Array) => Promise<void> | undefined) {
    this.#write = write
  }

  async add(path: string, content: Buffer): Promise<void> {
    const compressed = deflateRawSync(content)
    const entry = { path, crc: crc32(content), bytes: content.length, compressedBytes: compressed.length }
    await this.addCompressed(entry, [compressed])
  }

  async addCompressed(entry: ZipEntry, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    this.#offsets.push(this.#bytes)
    this.#entries.push(entry)
    await this.#append(formatLocalHeader(entry))
    for await (const chunk of chunks) await this.#append(chunk)
  }

  async end(): Promise<void> {
    await this.#append(formatDirectory(this.#entries, this.#offsets, this.#bytes))
  }

  #append(bytes: Uint8Array): Promise<void> | undefined {
    this.#bytes += bytes.length
    return this.#write(bytes)
  }
}
