/** A file in memory that id files are written to and read from. */
export class MemoryFile {
  #bytes = Buffer.alloc(0)
  /** Number of ranges that were read. */
  reads = 0

  readonly write = (bytes: Uint8Array): Promise<void> => {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    return Promise.resolve()
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  readonly readRange = (_: string, from: number, until: number): Promise<Uint8Array> => {
    this.reads++
    return Promise.resolve(this.#bytes.subarray(from, until))
  }
}
