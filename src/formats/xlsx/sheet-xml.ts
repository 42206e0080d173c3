import type { Column } from '../../records/flatten/column.ts'
import { headerStyle } from './cell-styles.ts'
import { toColumnStyle } from './sheet-cell.ts'
import { formatStyledText } from './text-cell.ts'

/** The XML of a sheet up to its first row of data: a frozen, bold header and the widths of columns. */
export function formatSheetHead(columns: readonly Column[], widths: readonly number[]): string {
  const names = columns.map(({ name }) => formatStyledText(name, headerStyle))
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '<selection pane="bottomLeft"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>' +
    `<cols>${columns.map((column, at) => formatColumn(column, at + 1, widths[at] ?? 0)).join('')}</cols>` +
    `<sheetData><row>${names.join('')}</row>`
  )
}

function formatColumn(column: Column, number: number, width: number): string {
  const style = toColumnStyle(column)
  return `<col min="${number}" max="${number}" width="${width}" style="${style}" customWidth="1"/>`
}

/** The XML after so many rows of data: the filter, and no warnings about digits in cells of text. */
export function formatSheetTail(columnCount: number, rows: number): string {
  const all = `A1:${toColumnLetters(columnCount)}${rows + 1}`
  return (
    `</sheetData><autoFilter ref="${all}"/>` +
    `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
  )
}

/** `A` for 1, `AA` for 27. */
export function toColumnLetters(number: number): string {
  if (number === 0) return ''
  const last = (number - 1) % 26
  return toColumnLetters((number - 1 - last) / 26) + String.fromCharCode(65 + last)
}
