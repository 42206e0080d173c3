import type { Cell, Column, EncodeRows } from '../../records/flatten/column.ts'
import { compileLongText, compileSheetCell, type FormatSheetCell } from './sheet-cell.ts'
import { formatSheetPiece } from './sheet-piece.ts'
import { mostCharacters } from './text-cell.ts'

export function createSheetEncoder(columns: readonly Column[]): EncodeRows {
  const formats = columns.map(compileSheetCell)
  const encoder = new TextEncoder()
  const countCut = compileCount(columns)
  return (rows) => {
    const cut = new Map<number, number>()
    let xml = ''
    for (const row of rows) {
      xml += '<row>'
      for (let index = 0; index < formats.length; index++) {
        const cell = row[index] as Cell
        const written = (formats[index] as FormatSheetCell)(cell)
        if (written.length > mostCharacters) countCut(cut, index, cell)
        xml += written
      }
      xml += '</row>'
    }
    return formatSheetPiece({ rows: rows.length, cut, xml: encoder.encode(xml) })
  }
}

function compileCount(columns: readonly Column[]) {
  const texts = columns.map(compileLongText)
  return (cut: Map<number, number>, index: number, cell: Cell): void => {
    const length = cell === null ? 0 : (texts[index]?.(cell).length ?? 0)
    if (length > mostCharacters) cut.set(index, (cut.get(index) ?? 0) + 1)
  }
}
