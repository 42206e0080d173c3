import { mkdir, open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import pLimit from 'p-limit'
import { CatalogueError, toOutputCode } from '../../errors.ts'
import { joinParts, IdDeduplicator, type NamedReader } from './concatenated-reader.ts'
import { unread, type BatchReader, type LineBatch } from './line-batch.ts'
import type { ReadLog } from './read-log.ts'
import type { Completeness } from '../../manifest/manifest.ts'
import { formatCount } from '../../text/format-count.ts'

export interface PartitionedReaderOptions {
  readonly name: string
  readonly windows: readonly NamedReader[]
  /** Asks for the number of records of the whole result, before and after the windows; null if none is stated. */
  readonly countAll: (signal: AbortSignal) => Promise<number | null>
  /** The file that holds a window until its turn: a path that no one else uses, in a folder that may not exist yet. */
  readonly spoolPath: (window: number) => string
  readonly concurrency: number
  readonly log: ReadLog
  /** Whether windows that do not add up to the whole throw SOURCE_INCOMPLETE, or only give that verdict. */
  readonly incomplete: 'fail' | 'deliver'
}

/**
 * Reads several windows of one result at the same time and delivers them in order. Each is first written to a file: the
 * service would probably close a socket that is paused until its turn, and only its buffers would have been read.
 * Memory holds just the bounds and ids of lines. A window that fails is repeated alone. The files are removed at the
 * end in any case.
 */
export class PartitionedReader implements BatchReader {
  readonly #options: PartitionedReaderOptions
  #completeness: Completeness = unread

  constructor(options: PartitionedReaderOptions) {
    this.#options = options
  }

  completeness(): Completeness {
    return this.#completeness
  }

  async *batches(signal: AbortSignal): AsyncGenerator<LineBatch> {
    const { name, countAll, spoolPath, log, windows, incomplete } = this.#options
    const before = await countAll(signal)
    if (before === 0) {
      this.#completeness = { status: 'proven', reasons: [], total: 0 }
      return
    }
    const ids = new IdDeduplicator(log)
    const landing = this.#startLanding(signal)
    try {
      for (const [window, landed] of landing.windows.entries()) {
        yield* ids.leaveOut(readSpooled(spoolPath(window), await landing.orFailure(landed), signal))
        await removeAll([spoolPath(window)])
      }
    } finally {
      landing.stop()
      await Promise.allSettled(landing.windows)
      await removeAll(windows.map((_, window) => spoolPath(window)))
    }
    this.#completeness = this.#judge(ids.kept, before, await countAll(signal))
    if (this.#completeness.status === 'incomplete' && incomplete === 'fail') {
      const message = `${name}: expected every record of the result once, got this: ${this.#completeness.reasons.join('; ')}`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
  }

  /** Starts to read all windows into files. The first failure stops the others and is thrown. */
  #startLanding(signal: AbortSignal) {
    const { windows, concurrency, spoolPath } = this.#options
    const stopping = new AbortController()
    const either = AbortSignal.any([signal, stopping.signal])
    const limit = pLimit(concurrency)
    let failure: unknown
    const landed = windows.map(async ({ reader }, window) => {
      try {
        return await limit(async () => spool(reader, spoolPath(window), either))
      } catch (error) {
        failure ??= error
        stopping.abort()
        throw error
      }
    })
    // A window may fail while an earlier one is awaited, before anything handles it.
    for (const one of landed) one.catch(() => undefined)
    const orFailure = async (one: Promise<readonly SpooledBatch[]>): Promise<readonly SpooledBatch[]> => {
      try {
        return await one
      } catch {
        throw failure
      }
    }
    return { windows: landed, stop: () => stopping.abort(), orFailure }
  }

  /** Each window is complete by itself; together they are complete if they hold as many records as the whole result. */
  #judge(records: number, before: number | null, after: number | null): Completeness {
    const { status, reasons } = joinParts(this.#options.windows)
    if (status !== 'proven') return { status, reasons, total: after }
    if (before === null || after === null) {
      return { status: 'unprovable', reasons: ['nothing states the total over all windows'], total: null }
    }
    if (records === before && records === after) return { status: 'proven', reasons: [], total: records }
    const changed = before === after ? `${before}` : `${before} before and ${after} after`
    const reason = `the windows hold ${formatCount(records)} records, the total over all of them is ${changed}`
    const isBetween = records >= Math.min(before, after) && records <= Math.max(before, after)
    return { status: isBetween ? 'unprovable' : 'incomplete', reasons: [reason], total: after }
  }
}

interface SpooledBatch extends Pick<LineBatch, 'lines'> {
  readonly byteLength: number
}

async function spool(reader: BatchReader, path: string, signal: AbortSignal): Promise<readonly SpooledBatch[]> {
  const spooled: SpooledBatch[] = []
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const batch of reader.batches(signal)) {
      spooled.push({ lines: batch.lines, byteLength: batch.bytes.length })
      yield batch.bytes
    }
  }
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes(), { flag: 'wx' })
    return spooled
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    const message = `${path}: expected to land a window here until its turn comes, got: ${(error as Error).message}`
    throw new CatalogueError(toOutputCode(error), message, { cause: error })
  }
}

async function* readSpooled(
  path: string,
  batches: readonly SpooledBatch[],
  signal: AbortSignal,
): AsyncGenerator<LineBatch> {
  let file: FileHandle | null = null
  try {
    file = await open(path)
    for (const { lines, byteLength } of batches) {
      if (signal.aborted) return
      const bytes = Buffer.allocUnsafeSlow(byteLength)
      const { bytesRead } = await file.read(bytes, 0, byteLength)
      if (bytesRead < byteLength) throw new Error('it was cut off')
      yield { bytes, lines }
    }
  } catch (error) {
    throw new CatalogueError('SOURCE_FAILED', `${path}: the read failed: ${(error as Error).message}`, { cause: error })
  } finally {
    await file?.close()
  }
}

/**
 * A file that can't be removed has a staging name, so the next run clears it. It must neither fail the reading nor hide
 * another error.
 */
async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => rm(path, { force: true })))
}
