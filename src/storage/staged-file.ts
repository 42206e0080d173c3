import { createHash } from 'node:crypto'
import * as nodeFs from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RequiredContext } from '../run-context.ts'
import { BlockWriter } from './block-writer.ts'
import { createFolders, type FileSystem, flushFile, syncFoldersOf } from './file-system.ts'
import { GzipWriter } from './gzip-writer.ts'
import { outputOperation } from './output-operation.ts'
import { checkFileName } from './paths.ts'
import { readPreviousInode } from './publication-steps.ts'
import { stagingPath } from './staging-names.ts'

/** `token` consists of letters, digits, `_` and `-`. */
export interface StagedFileOptions extends RequiredContext<'token'> {
  readonly gzip?: boolean
  /** Permission bits, less the umask. Default 0o666. */
  readonly mode?: number
}

/** A file's length and hash on disk, after compression. */
export interface WrittenFile {
  readonly bytes: number
  readonly sha256: string
}

export interface PublishableFile {
  readonly destination: string
  readonly path: string
  /** Flushes everything to disk and closes the file. Later calls give the same result. */
  finish(): Promise<WrittenFile>
  /** Closes and removes the file in any state, even if it has gone already. */
  discard(): Promise<void>
}

/**
 * An output under its staging name, until `publish` renames it or `discard` removes it. All methods reject with
 * OUTPUT_FAILED or OUTPUT_REFUSED; after a failure, `write` and `finish` keep failing.
 */
export interface StagedFile extends PublishableFile {
  /**
   * Appends in the order of the calls. Returns undefined if the bytes were copied and there is room for more. Otherwise
   * resolves when there is room or they are written; the caller must not change them before. Await it before the next
   * call, or memory grows.
   */
  write(bytes: Uint8Array): Promise<void> | undefined
}

/**
 * Opens `<dir>/.<basename>.<pid>-<token>.staging` beside the destination, and creates missing folders. The destination
 * itself is not touched. Throws OUTPUT_REFUSED if it is there and not a file.
 */
export async function openStagedFile(
  destination: string,
  { token, gzip = false, mode = 0o666 }: StagedFileOptions,
  fs: FileSystem = nodeFs,
): Promise<StagedFile> {
  checkFileName(destination)
  const path = stagingPath(destination, { pid: process.pid, token })
  await createFolder(destination, fs)
  await readPreviousInode(destination, fs)
  const handle = await outputOperation(destination, 'created', () => fs.open(path, 'wx', mode))
  const disk = new HashedFile(handle)
  const compressed = gzip ? new GzipWriter((chunk) => disk.write(chunk)) : undefined
  const blocks = new BlockWriter((block) => (compressed ?? disk).write(block))

  let open = true
  const write = (bytes: Uint8Array) =>
    open ? blocks.write(bytes) : Promise.reject(new Error(`${destination}: written to after finish or discard`))
  const finish = async () => {
    open = false
    await blocks.flush()
    await compressed?.end()
    return disk.finish()
  }
  const discard = async () => {
    open = false
    compressed?.destroy()
    await handle.close()
    await fs.rm(path, { force: true })
  }
  let finished: Promise<WrittenFile> | undefined
  return {
    destination,
    path,
    write(bytes) {
      const writing = write(bytes)
      return writing && outputOperation(destination, 'written', () => writing)
    },
    finish: () => (finished ??= outputOperation(destination, 'written', finish)),
    discard: () => outputOperation(destination, 'discarded', discard),
  }
}

async function createFolder(destination: string, fs: FileSystem): Promise<void> {
  const created = await outputOperation(destination, 'given a folder', () => createFolders(dirname(destination), fs))
  await syncFoldersOf(created, fs)
}

/** An append-only file that hashes its content, and flushes it while it is written. */
class HashedFile {
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')
  #bytes = 0
  #unflushedBytes = 0
  #flushing: Promise<void> | null = null
  #flushFailure: { readonly thrown: unknown } | null = null

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(bytes: Uint8Array): Promise<void> {
    const written = this.#writeAll(bytes)
    // Hashes while the system writes.
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    await written
    this.#throwFlushFailure()
    this.#unflushedBytes += bytes.length
    if (this.#unflushedBytes >= flushBytes) this.#flushing ??= this.#flush()
  }

  async finish(): Promise<WrittenFile> {
    await this.#flushing
    this.#throwFlushFailure()
    await flushFile(this.#handle)
    await this.#handle.close()
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** Never rejects: the next call throws the failure, which the system reports once. */
  async #flush(): Promise<void> {
    this.#unflushedBytes = 0
    try {
      await flushFile(this.#handle, 'datasync')
    } catch (thrown) {
      this.#flushFailure = { thrown }
    }
    this.#flushing = null
  }

  #throwFlushFailure(): void {
    if (this.#flushFailure !== null) throw this.#flushFailure.thrown
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, offset)
      offset += bytesWritten
    }
  }
}

/** Spreads the flushing over the writing: a single flush at the end would leave the threads idle meanwhile. */
const flushBytes = 16 * 1024 * 1024
