import { createHash } from 'node:crypto'
import type { LimitFunction } from 'p-limit'
import { CatalogueError } from '../../errors.ts'
import type { WrittenFile } from '../staged-file.ts'
import type { ObjectClient, UploadedPart } from './object-client.ts'

export interface ObjectUploadOptions {
  readonly path: string
  /** Limits the parts sent at a time, over all uploads of a storage. */
  readonly limit: LimitFunction
  /** The size of all parts but the last: some storages require equal parts. */
  readonly partBytes: number
  /** True if an object of so many bytes may be held in memory until it is completed, in one request. */
  readonly mayHold: (bytes: number) => boolean
}

export interface CompletableUpload extends WrittenFile {
  readonly path: string
  /** Null for an object that is put whole. */
  readonly upload: string | null
  readonly parts: readonly UploadedPart[]
  /** The content of an object that is put whole; empty for others. */
  readonly content: Uint8Array
}

/**
 * An object that is uploaded in parts as it is written, and invisible until completed. Holds one part being filled and
 * one being sent.
 */
export class ObjectUpload {
  readonly #client: ObjectClient
  readonly #options: ObjectUploadOptions
  readonly #hash = createHash('sha256')
  readonly #parts: UploadedPart[] = []
  readonly #aborted = new AbortController()
  #bytes = 0
  #held: Uint8Array[] = []
  #heldBytes = 0
  #upload: string | null = null
  #sending: Promise<void> = Promise.resolve()

  constructor(client: ObjectClient, options: ObjectUploadOptions) {
    this.#client = client
    this.#options = options
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    const { partBytes } = this.#options
    let rest = bytes
    while (this.#heldBytes + rest.length >= partBytes) {
      const fitting = partBytes - this.#heldBytes
      this.#hold(rest.subarray(0, fitting))
      rest = rest.subarray(fitting)
      await this.#sendHeld(null)
    }
    if (rest.length > 0) this.#hold(rest)
  }

  async finish(): Promise<CompletableUpload> {
    const sha256 = this.#hash.digest('hex')
    const { path, mayHold } = this.#options
    const isHeld = this.#bytes === this.#heldBytes && mayHold(this.#bytes)
    // Also an empty part: an object that is not held must have an upload.
    if (!isHeld && (this.#heldBytes > 0 || this.#bytes === 0)) await this.#sendHeld(sha256)
    await this.#sending
    const content = Buffer.concat(this.#held, this.#heldBytes)
    return { path, upload: this.#upload, parts: this.#parts, bytes: this.#bytes, sha256, content }
  }

  async abort(): Promise<void> {
    this.#aborted.abort()
    this.#held = []
    await this.#sending.catch(() => undefined)
    if (this.#upload !== null) await this.#client.abort(this.#options.path, this.#upload)
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.length
  }

  /**
   * Resolves when the previous part is stored. `sha256` is the hash of the whole object; null unless this part is the
   * last.
   */
  async #sendHeld(sha256: string | null): Promise<void> {
    const bytes = this.#held.length === 1 ? (this.#held[0] as Uint8Array) : Buffer.concat(this.#held, this.#heldBytes)
    this.#held = []
    this.#heldBytes = 0
    await this.#sending
    this.#sending = this.#options.limit(() => this.#send(bytes, sha256))
    // The next call that awaits it gets the failure.
    this.#sending.catch(() => undefined)
  }

  async #send(bytes: Uint8Array, sha256: string | null): Promise<void> {
    const { path, partBytes } = this.#options
    const number = this.#parts.length + 1
    if (number > mostParts) {
      const most = `${mostParts} parts of ${partBytes} bytes`
      throw new CatalogueError('OUTPUT_REFUSED', `${path}: expected at most ${most}, got more; set bytesPerFile`)
    }
    this.#aborted.signal.throwIfAborted()
    this.#upload ??= await this.#client.begin(path, sha256)
    this.#parts.push(await this.#client.addPart(path, this.#upload, { number, bytes, signal: this.#aborted.signal }))
  }
}

const mostParts = 10_000
