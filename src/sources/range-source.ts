import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { CatalogueError } from '../errors.ts'
import { BlockBuffers } from '../records/memory/block-buffers.ts'
import { BlockCutter, type ByteChunks } from '../records/block.ts'
import type { Source } from './source.ts'

export interface RangeOptions {
  readonly name: string
  /** The first byte, at the start of a line, and the byte after the last; null for the end of the file. */
  readonly from: number
  readonly until: number | null
  readonly maxLineBytes: number
  readonly readBytes?: (signal: AbortSignal) => ByteChunks
}

/** A range of an uncompressed file of lines. Lines are counted from the start of the range. */
export function createRangeSource(path: string, options: RangeOptions): Source {
  const { name, from, until, maxLineBytes } = options
  const { readBytes = (signal: AbortSignal) => readRange(path, name, from, until, signal) } = options
  return {
    name,
    canBeReadAgain: true,
    read(signal, buffers = new BlockBuffers()) {
      const cutter = new BlockCutter({ maxLineBytes, buffers, byteOffset: from })
      return { blocks: cutter.cut(readBytes(signal)), document: () => null }
    },
  }
}

/** Reads into the offered room or else always into the same buffer, like `readReusing`. */
async function* readRange(
  path: string,
  name: string,
  from: number,
  until: number | null,
  signal: AbortSignal,
): ByteChunks {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    const own = Buffer.allocUnsafeSlow(reusedBytes)
    let room: Buffer | undefined
    for (let at = from; !signal.aborted;) {
      const buffer = room?.length ? room : own
      const length = Math.min(buffer.length, (until ?? Number.POSITIVE_INFINITY) - at)
      const bytes = length === 0 ? 0 : readSync(file, buffer, 0, length, at)
      if (bytes === 0) return
      at += bytes
      room = yield buffer.subarray(0, bytes)
      // Lets other tasks run.
      await setImmediate()
    }
  } catch (error) {
    if (signal.aborted) return
    throw new CatalogueError('SOURCE_FAILED', `${name}: the read failed: ${(error as Error).message}`, { cause: error })
  } finally {
    if (file !== null) closeSync(file)
  }
}

const reusedBytes = 256 * 1024
