import { CatalogueError, interrupted } from '../../errors.ts'
import type { Block } from '../../records/block.ts'
import type { RunContext } from '../../run-context.ts'
import { scanLines } from '../../service/read/scan-lines.ts'
import type { Reading, Source, SourceNotes } from '../../sources/source.ts'
import { stopOnAbort } from '../reading/stop-on-abort.ts'
import type { Completeness } from '../../manifest/manifest.ts'

/** Reads the lines of an endpoint's only source, and counts them. */
export class Delivery {
  readonly #source: Source
  readonly #maxLineBytes: number
  readonly #reading: Required<Reading>
  /** The total stated by the last block. */
  total: number | null = null
  lines = 0
  /** Before compression. */
  bytes = 0

  constructor([source]: readonly Source[], maxLineBytes: number, signal: NonNullable<RunContext['signal']>) {
    const reading = source?.read(signal)
    if (source === undefined || reading?.completeness === undefined || reading.notes === undefined) {
      throw new TypeError('expected a source of the service, which judges by its answers')
    }
    this.#source = source
    this.#maxLineBytes = maxLineBytes
    this.#reading = { ...reading, completeness: reading.completeness, notes: reading.notes }
  }

  /**
   * Blocks of whole lines until the abort. Throws errors of the source, and SOURCE_FAILED for a line too long to be
   * kept whole.
   */
  async *blocks(signal: AbortSignal): AsyncGenerator<Block> {
    for await (const block of stopOnAbort(this.#reading.blocks, signal)) {
      const { count, tooLong } = measureLines(block, this.#maxLineBytes)
      if (tooLong !== null) throw lineTooLong(this.#source, this.lines + tooLong + 1, this.#maxLineBytes)
      this.total = findTotal(block, this.#maxLineBytes)
      this.lines += count
      this.bytes += block.bytes.length
      yield block
    }
  }

  completeness(): Completeness {
    return this.#reading.completeness()
  }

  notes(): SourceNotes {
    return this.#reading.notes()
  }

  interruption(noun: string): CatalogueError {
    return interrupted(`${this.#source.name}: the ${noun}`, { where: ` after line ${this.lines}` })
  }
}

/** Counts the lines of a block, and finds the index of the first that is too long. */
function measureLines({ bytes }: Block, maxLineBytes: number): { count: number; tooLong: number | null } {
  let count = 0
  let tooLong: number | null = null
  for (let start = 0; start < bytes.length; count++) {
    const end = findLineEnd(bytes, start)
    if (end - start > maxLineBytes) tooLong ??= count
    start = end + 1
  }
  return { count, tooLong }
}

/** The total stated by the first line of a block, which is enough for progress. */
function findTotal({ bytes }: Block, maxLineBytes: number): number | null {
  return scanLines(bytes.subarray(0, findLineEnd(bytes, 0)), maxLineBytes)[0]?.total ?? null
}

function findLineEnd(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(0x0a, start)
  return found < 0 ? bytes.length : found
}

/** The source truncates such a line, which must not be mistaken for a complete one. */
function lineTooLong({ name }: Source, line: number, maxLineBytes: number): CatalogueError {
  const expected = `expected at most ${maxLineBytes} bytes (source.maxLineBytes)`
  return new CatalogueError('SOURCE_FAILED', `${name}, line ${line}: ${expected}, got more: raise it to land them all`)
}
