import { ChunkBuffer } from '../../records/memory/chunk-buffer.ts'
import { countBatchRows } from './record-batch.ts'

/** The rows of one row group. Plain data: it can be sent to a worker, which shares the bytes. */
export interface RowGroup {
  /** Batches of the same columns, in the order of their rows. */
  readonly batches: readonly RowsOfBatch[]
  /** The adjacent bytes of the batches, cut anywhere. No other row group has their buffers. */
  readonly bytes: readonly Uint8Array[]
  readonly rows: number
}

export interface RowsOfBatch {
  readonly length: number
  readonly from: number
  readonly to: number
}

export interface RowGroupLimits {
  readonly rowGroupRows: number
  /** A row group also ends after the batch that makes it this large; a part of a batch counts by its share. */
  readonly rowGroupBytes: number
}

/**
 * Collects the record batches of one file into row groups. The cuts depend only on the batches: the same batches give
 * the same row groups.
 */
export class RowGroupCutter {
  readonly #limits: RowGroupLimits
  readonly #chunks = new ChunkBuffer()
  #batches: RowsOfBatch[] = []
  #rows = 0
  #bytes = 0

  constructor(limits: RowGroupLimits) {
    this.#limits = limits
  }

  /**
   * Copies a batch, and yields the row groups that it completes. A batch divided over several is copied for each when
   * that is taken. Throws OUTPUT_FAILED if the bytes are no batch.
   */
  *add(bytes: Uint8Array): Generator<RowGroup, void, undefined> {
    const rows = countBatchRows(bytes)
    for (let from = 0; from < rows;) {
      const to = Math.min(rows, from + this.#limits.rowGroupRows - this.#rows)
      this.#chunks.add(bytes)
      this.#take({ length: bytes.length, from, to }, bytes.length * ((to - from) / rows))
      if (this.#isComplete()) yield this.#cut()
      from = to
    }
  }

  end(): RowGroup[] {
    return this.#rows === 0 ? [] : [this.#cut()]
  }

  #take(part: RowsOfBatch, bytes: number): void {
    this.#batches.push(part)
    this.#rows += part.to - part.from
    this.#bytes += bytes
  }

  #isComplete(): boolean {
    const { rowGroupRows, rowGroupBytes } = this.#limits
    return this.#rows >= rowGroupRows || this.#bytes >= rowGroupBytes
  }

  #cut(): RowGroup {
    const group = { batches: this.#batches, bytes: this.#chunks.cut(), rows: this.#rows }
    this.#batches = []
    this.#rows = 0
    this.#bytes = 0
    return group
  }
}

/**
 * The size of a row group of each Parquet file of a run, as record batches. Encoding one of 8 MiB takes 11 to 24 MB of
 * memory in its thread; the files whose row group is incomplete hold at most 48 MiB together, or 1 MiB each.
 */
export function shareRowGroupBytes(files: number): number {
  return Math.max(mebibyte, Math.min(8 * mebibyte, Math.floor((48 * mebibyte) / files)))
}

const mebibyte = 1024 * 1024
