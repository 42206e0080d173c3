import type { Column, Row } from '../records/flatten/column.ts'
import { RowCells, type ColumnChoice } from './row-cells.ts'
import { Stage } from './stage.ts'

export interface RowFormat {
  /** For messages. */
  readonly name: string
  readonly formatHeader: (columns: readonly Column[]) => Uint8Array
  readonly createEncoder: (columns: readonly Column[]) => (rows: readonly Row[]) => Uint8Array
}

/** Rows → the bytes of a format that is written row by row. Encodes some rows at once, which is many times cheaper. */
export function encodeRows<RowObject extends object>(
  format: RowFormat,
  columns: readonly ColumnChoice[] | undefined,
): Stage<RowObject, Buffer> {
  const rowCells = new RowCells(format.name, columns)
  const batch = new RowBatch(format)
  let hasHeader = false

  function* begin(known: readonly Column[] | null): Generator<Buffer> {
    if (hasHeader || known === null) return
    hasHeader = true
    yield* toBytes(format.formatHeader(known))
  }

  return new Stage({
    bytes: 'given',
    *take(row) {
      const cells = rowCells.next(row)
      yield* begin(rowCells.columns)
      yield* batch.add(cells, rowCells.columns ?? [])
    },
    *end() {
      yield* begin(rowCells.columns)
      yield* batch.flush()
    },
  })
}

/** Rows that wait to be encoded together. */
class RowBatch {
  readonly #format: RowFormat
  #columns: readonly Column[] = []
  #encode: (rows: readonly Row[]) => Uint8Array = () => new Uint8Array()
  #rows: Row[] = []
  #characters = 0

  constructor(format: RowFormat) {
    this.#format = format
  }

  *add(row: Row, columns: readonly Column[]): Generator<Buffer> {
    if (columns !== this.#columns) {
      yield* this.flush()
      this.#columns = columns
      this.#encode = this.#format.createEncoder(columns)
    }
    this.#rows.push(row)
    for (const cell of row) this.#characters += typeof cell === 'string' ? cell.length : guessedCharacters
    if (this.#characters >= batchCharacters) yield* this.flush()
  }

  *flush(): Generator<Buffer> {
    const rows = this.#rows
    this.#rows = []
    this.#characters = 0
    if (rows.length > 0) yield* toBytes(this.#encode(rows))
  }
}

/** A stream of bytes does not take an empty piece. */
function toBytes({ buffer, byteOffset, byteLength }: Uint8Array): readonly Buffer[] {
  return byteLength === 0 ? [] : [Buffer.from(buffer, byteOffset, byteLength)]
}

const batchCharacters = 64 * 1024
const guessedCharacters = 8
