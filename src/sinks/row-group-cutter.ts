import { parseArrowStream } from './arrow-stream.ts'
import { splitArrowStream } from './split-arrow-stream.ts'

/** What becomes one row group. Plain data: it can be sent to a worker. */
export interface RowGroup {
  /** Arrow IPC streams of the same columns, each with a buffer of its own, in the order of their rows. */
  readonly pieces: readonly Uint8Array[]
  readonly rows: number
}

export interface RowGroupLimits {
  /** The most rows of a row group. */
  readonly rowGroupRows: number
  /** A row group also ends behind the piece that makes it this large, as Arrow. */
  readonly rowGroupBytes: number
}

/**
 * Collects the pieces of one file until they are a row group. Where it cuts depends on the pieces alone; what they are
 * is the caller's to keep the same.
 */
export class RowGroupCutter {
  readonly #limits: RowGroupLimits
  #pieces: Uint8Array[] = []
  #rows = 0
  #bytes = 0
  #hasCut = false

  constructor(limits: RowGroupLimits) {
    this.#limits = limits
  }

  /** Takes over a piece, and gives the row groups that are complete with it. */
  add(piece: Uint8Array): RowGroup[] {
    const { rowGroupRows } = this.#limits
    const { rows } = parseArrowStream(piece)
    const room = rowGroupRows - this.#rows
    const parts = rows > room ? splitArrowStream(piece, room, rowGroupRows) : [piece]
    return parts.flatMap((part) => this.#take(part, part === piece ? rows : parseArrowStream(part).rows))
  }

  /** The rows that are left: one row group, or none. A file without rows is one row group of none. */
  end(): RowGroup[] {
    return this.#rows === 0 && this.#hasCut ? [] : [this.#cut()]
  }

  #take(piece: Uint8Array, rows: number): RowGroup[] {
    if (rows === 0) return []
    this.#pieces.push(piece)
    this.#rows += rows
    this.#bytes += piece.length
    const { rowGroupRows, rowGroupBytes } = this.#limits
    return this.#rows >= rowGroupRows || this.#bytes >= rowGroupBytes ? [this.#cut()] : []
  }

  #cut(): RowGroup {
    const group = { pieces: this.#pieces, rows: this.#rows }
    this.#pieces = []
    this.#rows = 0
    this.#bytes = 0
    this.#hasCut = true
    return group
  }
}
