export interface SheetPiece {
  readonly rows: number
  /** How many cells were cut, by position of the column. */
  readonly cut: ReadonlyMap<number, number>
  /** The elements `row`, without row numbers: pieces can follow each other in any sheet. */
  readonly xml: Uint8Array
}

/**
 * Puts numbers of 32 bits before the rows: how many rows, how many columns have cut cells, and for each its position
 * and count.
 */
export function formatSheetPiece({ rows, cut, xml }: SheetPiece): Uint8Array<ArrayBuffer> {
  const words = Uint32Array.of(rows, cut.size, ...[...cut].flat())
  const piece = new Uint8Array(words.byteLength + xml.length)
  piece.set(new Uint8Array(words.buffer))
  piece.set(xml, words.byteLength)
  return piece
}

export function parseSheetPiece(piece: Uint8Array): SheetPiece {
  const view = new DataView(piece.buffer, piece.byteOffset, piece.length)
  const word = (index: number) => view.getUint32(index * 4, true)
  const entries = Array.from({ length: word(1) }, (_, at): [number, number] => [word(2 + 2 * at), word(3 + 2 * at)])
  return { rows: word(0), cut: new Map(entries), xml: piece.subarray((2 + 2 * entries.length) * 4) }
}
