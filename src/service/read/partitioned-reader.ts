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
  /** The number of records in the whole result, asked for before and after the windows; null if none is stated. */
  readonly countAll: (signal: AbortSignal) => Promise<number | null>
  /** The file where a window waits for its turn: a path of its own, in a folder that may not exist yet. */
  readonly spoolPath: (window: number) => string
  readonly concurrency: number
  readonly log: ReadLog
  /** Windows that do not add up to the whole are SOURCE_INCOMPLETE, or only said to be so. */
  readonly incomplete: 'fail' | 'deliver'
}

/**
 * Several windows of one result set at the same time, handed on in their order. Each is landed in a file first: a
 * socket that is paused until its turn comes is likely to be closed by the service, and would have brought nothing but
 * what fits into its buffers. So memory holds the bounds and ids of lines only; the disk holds what is ahead of its turn.
 * A window that fails is repeated alone; the files are gone at the end, however it ends.
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

  /** Begins to land every window. The first failure stops the others and is the one that is thrown. */
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
    // A window that fails while an earlier one is awaited is not looked at yet.
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

  /** The windows are complete one by one; together they are when they hold as many records as there are in all. */
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

/** A batch whose bytes wait in a file. */
interface SpooledBatch extends Pick<LineBatch, 'lines'> {
  readonly byteLength: number
}

/** Writes the bytes of every batch to a new file. */
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

/** A file that can't be removed has a staging name: the next run clears it. It is no reason to fail, nor to hide another one. */
async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => rm(path, { force: true })))
}
