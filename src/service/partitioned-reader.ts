import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { joinCompleteness, type Completeness } from '../sources/completeness.ts'
import { CatalogueError, toOutputCode } from '../errors.ts'
import { openFile, readFileBytes } from '../sources/file-bytes.ts'
import { unread, type LineReading } from './line-reader.ts'
import type { ReadLog } from './read-log.ts'
import { IdDeduplicator } from './id-deduplicator.ts'
import { readWholeLines } from './whole-lines.ts'

export interface WindowedReadingOptions {
  readonly name: string
  readonly windows: readonly { readonly name: string; readonly reading: LineReading }[]
  /** How many records the whole result has, asked for before and after the windows; null where that is not said. */
  readonly countAll: (signal: AbortSignal) => Promise<number | null>
  /** Where a window waits for its turn: a path of its own, in a folder that may not exist yet. */
  readonly spoolPath: (window: number) => string
  readonly concurrency: number
  readonly notes: ReadLog
  /** Whether windows that do not add up to the whole are SOURCE_INCOMPLETE, or only said to be so. */
  readonly incomplete: 'fail' | 'deliver'
}

/**
 * Several windows of one result set at the same time, handed on in their order. Each is landed in a file first: a
 * socket that is paused until its turn comes is likely to be closed by the service, and would have brought nothing but
 * what fits into its buffers. So memory does not grow with the result; the disk holds what is ahead of its turn.
 * A window that fails is repeated alone; the files are gone at the end, however it ends.
 */
export class PartitionedReader implements LineReading {
  readonly #options: WindowedReadingOptions
  #completeness: Completeness = unread

  constructor(options: WindowedReadingOptions) {
    this.#options = options
  }

  completeness(): Completeness {
    return this.#completeness
  }

  async *lines(signal: AbortSignal): AsyncGenerator<Buffer> {
    const { name, countAll, spoolPath, notes, windows, incomplete } = this.#options
    const before = await countAll(signal)
    if (before === 0) {
      this.#completeness = { status: 'proven', reasons: [], total: 0 }
      return
    }
    const seen = new IdDeduplicator(notes)
    const landing = this.#startLanding(signal)
    try {
      for (const [window, landed] of landing.windows.entries()) {
        await landing.orFailure(landed)
        const bytes = readFileBytes(spoolPath(window), openFile(spoolPath(window)), signal)
        yield* seen.leaveOut(readWholeLines(bytes, Number.POSITIVE_INFINITY))
        await removeAll([spoolPath(window)])
      }
    } finally {
      landing.stop()
      await Promise.allSettled(landing.windows)
      await removeAll(windows.map((_, window) => spoolPath(window)))
    }
    this.#completeness = this.#judge(seen.taken, before, await countAll(signal))
    if (this.#completeness.status === 'incomplete' && incomplete === 'fail') {
      const message = `${name}: expected every record of the result once, got this: ${this.#completeness.reasons.join('; ')}`
      throw new CatalogueError('SOURCE_INCOMPLETE', message)
    }
  }

  /** Begins to land every window. The first failure stops the others and is the one that is told. */
  #startLanding(signal: AbortSignal) {
    const { windows, concurrency, spoolPath } = this.#options
    const stopping = new AbortController()
    const either = AbortSignal.any([signal, stopping.signal])
    const limit = pLimit(concurrency)
    let failure: unknown
    const landed = windows.map(async ({ reading }, window) => {
      try {
        await limit(async () => land(reading, spoolPath(window), either))
      } catch (error) {
        failure ??= error
        stopping.abort()
        throw error
      }
    })
    // Whoever waits for an earlier window does not look at this one yet.
    for (const one of landed) one.catch(() => undefined)
    const orFailure = async (one: Promise<void>): Promise<void> => {
      try {
        await one
      } catch {
        throw failure
      }
    }
    return { windows: landed, stop: () => stopping.abort(), orFailure }
  }

  /** The windows are complete one by one; together they are when they hold as many records as there are in all. */
  #judge(taken: number, before: number | null, after: number | null): Completeness {
    const parts = this.#options.windows.map(({ name, reading }) => ({ name, completeness: reading.completeness() }))
    const { status, reasons } = joinCompleteness(parts)
    if (status !== 'proven') return { status, reasons, total: after }
    if (before === null || after === null) {
      return { status: 'unprovable', reasons: ['nothing states the total over all windows'], total: null }
    }
    if (taken === before && taken === after) return { status: 'proven', reasons: [], total: taken }
    const changed = before === after ? `${before}` : `${before} before and ${after} after`
    const reason = `the windows hold ${taken} records, the total over all of them is ${changed}`
    const isBetween = taken >= Math.min(before, after) && taken <= Math.max(before, after)
    return { status: isBetween ? 'unprovable' : 'incomplete', reasons: [reason], total: after }
  }
}

async function land(reading: LineReading, path: string, signal: AbortSignal): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await pipeline(reading.lines(signal), createWriteStream(path, { flags: 'wx' }))
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    const message = `${path}: expected to land a window here until its turn comes, got: ${(error as Error).message}`
    throw new CatalogueError(toOutputCode(error), message, { cause: error })
  }
}

/** What can't be removed has a staging name: the next run clears it. It is no reason to fail, nor to hide another one. */
async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => rm(path, { force: true })))
}
