import type { Column } from '../../records/flatten/column.ts'
import { measureWidths, widthBytes, widthRows } from './column-widths.ts'
import { parseSheetPiece } from './sheet-piece.ts'
import { formatSheetHead, formatSheetTail } from './sheet-xml.ts'

/** Gets the sheets of a table one after the other: each is begun, written and ended. */
export interface SheetTarget {
  begin(): void
  write(bytes: Uint8Array): Promise<void> | undefined
  end(): Promise<void>
}

export interface WrittenSheets {
  readonly rows: readonly number[]
  readonly cut: ReadonlyMap<number, number>
}

/**
 * Writes the pieces of a table as XML. If a sheet is full, the table continues in another. The same rows give the same
 * bytes, however they are divided into pieces. One call after the other.
 */
export class SheetWriter {
  readonly #columns: readonly Column[]
  readonly #target: SheetTarget
  readonly #rowsPerSheet: number
  readonly #sheetRows: number[] = []
  readonly #cut = new Map<number, number>()
  /** The first rows, until the widths of columns are known. */
  #held: HeldRows | null = { rows: 0, bytes: 0, xml: [] }
  #head: Uint8Array = new Uint8Array()

  constructor(columns: readonly Column[], target: SheetTarget, rowsPerSheet = mostSheetRows) {
    this.#columns = columns
    this.#target = target
    this.#rowsPerSheet = rowsPerSheet
  }

  write(piece: Uint8Array): Promise<void> | undefined {
    if (piece.length === 0) return undefined
    const { rows, cut, xml } = parseSheetPiece(piece)
    for (const [column, count] of cut) this.#cut.set(column, (this.#cut.get(column) ?? 0) + count)
    if (this.#held !== null) return this.#hold(this.#held, rows, xml)
    return this.#fits(rows) ? this.#append(rows, xml) : this.#writeOn(rows, xml)
  }

  async finish(): Promise<WrittenSheets> {
    await this.#release()
    await this.#end()
    return { rows: this.#sheetRows, cut: this.#cut }
  }

  #hold(held: HeldRows, rows: number, xml: Uint8Array): Promise<void> | undefined {
    held.xml.push(Uint8Array.from(xml))
    held.rows += rows
    held.bytes += xml.length
    return held.rows >= widthRows || held.bytes >= widthBytes ? this.#release() : undefined
  }

  async #release(): Promise<void> {
    if (this.#held === null) return
    const { rows, xml } = this.#held
    this.#held = null
    const all = Buffer.concat(xml)
    this.#head = Buffer.from(formatSheetHead(this.#columns, measureWidths(this.#columns, all)))
    await this.#begin()
    await this.#writeOn(rows, all)
  }

  #fits(rows: number): boolean {
    return (this.#sheetRows.at(-1) ?? 0) + rows <= this.#rowsPerSheet
  }

  #append(rows: number, xml: Uint8Array): Promise<void> | undefined {
    const last = this.#sheetRows.length - 1
    this.#sheetRows[last] = (this.#sheetRows[last] ?? 0) + rows
    return this.#target.write(xml)
  }

  /** Writes rows, in further sheets if this one is full. */
  async #writeOn(rows: number, xml: Uint8Array): Promise<void> {
    let rest = xml
    let left = rows
    while (!this.#fits(left)) {
      const room = this.#rowsPerSheet - (this.#sheetRows.at(-1) ?? 0)
      const end = findRowEnd(rest, room)
      await this.#append(room, rest.subarray(0, end))
      await this.#end()
      await this.#begin()
      rest = rest.subarray(end)
      left -= room
    }
    await this.#append(left, rest)
  }

  async #begin(): Promise<void> {
    this.#target.begin()
    this.#sheetRows.push(0)
    await this.#target.write(this.#head)
  }

  async #end(): Promise<void> {
    await this.#target.write(Buffer.from(formatSheetTail(this.#columns.length, this.#sheetRows.at(-1) ?? 0)))
    await this.#target.end()
  }
}

interface HeldRows {
  rows: number
  bytes: number
  readonly xml: Uint8Array[]
}

/** The end of so many rows. No value has a `<`. */
function findRowEnd(xml: Uint8Array, rows: number): number {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.length)
  let end = 0
  for (let row = 0; row < rows; row++) end = bytes.indexOf('</row>', end) + '</row>'.length
  return end
}

/** The rows of a sheet, less the header. */
export const mostSheetRows = 1_048_576 - 1
