import { createHash } from 'node:crypto'
import { CatalogueError } from '../errors.ts'
import { BlockBuffers } from '../records/memory/block-buffers.ts'
import { type Block, BlockCutter, type ByteChunks, type CutOptions } from '../records/block.ts'
import { readFileBytes, readReusing } from './file-bytes.ts'
import { toLandingManifestPath } from './landing-manifest.ts'
import type { Reading, Source, SourceNotes } from './source.ts'
import type { Completeness, LandedFrom, Landing } from '../manifest/manifest.ts'

export interface LandedSourceOptions {
  readonly maxLineBytes: number
  readonly openAgain: () => Promise<Landing | null>
  readonly readBytes?: (signal: AbortSignal) => ByteChunks
}

/**
 * A file that `fetch` landed, as a source. Its verdict is that of the answers it was landed from. Reading checks the
 * file: it throws SOURCE_DAMAGED if the file is not as it was landed, SOURCE_CHANGED if another one was landed
 * meanwhile.
 */
export function createLandedSource(path: string, landing: Landing, options: LandedSourceOptions): Source {
  const finish = (check: LandingCheck) => finishCheck(check, path, landing, options)
  const { readBytes = (signal: AbortSignal) => readReusing(path, signal) } = options
  return {
    name: path,
    canBeReadAgain: true,
    landed: toLandedFrom(landing),
    read(signal, buffers = new BlockBuffers()): Reading {
      const check = new LandingCheck(path, landing)
      const bytes = readAsLanded(
        path,
        { check, readBytes, again: () => new LandingCheck(path, landing), finish },
        signal,
      )
      return {
        blocks: cutBlocks(bytes, { ...options, buffers }, () => finish(check), signal),
        document: () => null,
        completeness: () => check.completeness,
        notes: () => toNotes(landing),
      }
    },
  }
}

interface LandedChecks {
  readonly check: LandingCheck
  readonly readBytes: (signal: AbortSignal) => ByteChunks
  readonly again: () => LandingCheck
  readonly finish: (check: LandingCheck) => Promise<void>
}

/**
 * Reads the file. If it can't be decompressed, it is not as it was landed: a second reading measures it for the
 * message.
 */
async function* readAsLanded(
  path: string,
  { check, readBytes, again, finish }: LandedChecks,
  signal: AbortSignal,
): ByteChunks {
  try {
    yield* readFileBytes(path, readBytes(signal), signal, (chunk) => check.take(chunk))
  } catch (error) {
    if (signal.aborted || !isOfDecompression(error)) throw error
    const whole = again()
    for await (const chunk of readBytes(signal)) whole.take(chunk)
    await finish(whole)
    throw error
  }
}

/** True for errors of zlib, and for the error of an empty file, which zlib doesn't see. */
function isOfDecompression(error: unknown): boolean {
  if (!(error instanceof CatalogueError) || error.code !== 'SOURCE_FAILED') return false
  const { code } = (error.cause ?? { code: 'Z_BUF_ERROR' }) as NodeJS.ErrnoException
  return code?.startsWith('Z_') === true
}

async function* cutBlocks(
  bytes: ByteChunks,
  options: CutOptions,
  finish: () => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<Block> {
  yield* new BlockCutter(options).cut(bytes)
  // An abort ends the bytes early.
  if (!signal.aborted) await finish()
}

/** A fetch that finishes after the manifest was read and before the file was, replaces the file. */
async function finishCheck(
  check: LandingCheck,
  path: string,
  landing: Landing,
  { openAgain }: LandedSourceOptions,
): Promise<void> {
  try {
    check.finish()
  } catch (error) {
    const now = await openAgain()
    if (now?.file.sha256 === landing.file.sha256) throw error
    const expected = `expected the file that was fetched at ${landing.startedAt}`
    throw new CatalogueError('SOURCE_CHANGED', `${path}: ${expected}, got another one, put in its place meanwhile`, {
      cause: error,
    })
  }
}

export function toLandedFrom({ endpoint, baseUrl, startedAt, file }: Landing): LandedFrom {
  return { endpoint, baseUrl, fetchedAt: startedAt, sha256: file.sha256 }
}

function toNotes({ firstAnswerAt, notes }: Landing): SourceNotes {
  return { firstAnswerAt: firstAnswerAt === null ? null : new Date(firstAnswerAt), ...notes }
}

class LandingCheck {
  readonly #file: string
  readonly #landing: Landing
  readonly #hash = createHash('sha256')
  #bytes = 0
  #completeness: Completeness = { status: 'unprovable', reasons: ['it was not read to its end'], total: null }

  constructor(file: string, landing: Landing) {
    this.#file = file
    this.#landing = landing
  }

  /** The verdict over the answers of the service; unprovable until the file is checked. */
  get completeness(): Completeness {
    return this.#completeness
  }

  /** Takes the next bytes as they are on disk. */
  take(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
  }

  /** Throws SOURCE_DAMAGED if the bytes are not those that were landed. */
  finish(): void {
    const { bytes, sha256 } = this.#landing.file
    const found = this.#hash.digest('hex')
    if (this.#bytes !== bytes || found !== sha256) {
      const expected = `expected the ${bytes} bytes with sha256 ${sha256} that ${toLandingManifestPath(this.#file)} describes`
      const got = `got ${this.#bytes} bytes with sha256 ${found}`
      throw new CatalogueError('SOURCE_DAMAGED', `${this.#file}: ${expected}, ${got}`)
    }
    this.#completeness = this.#landing.completeness
  }
}
