import type { CsvRow } from '../csv-table.ts'
import { type CellFormat, readFormats } from './cell-formats.ts'
import { readTags } from './xml-tags.ts'
import { openZip, WorkbookError } from './zip-entries.ts'

export interface Sheet {
  readonly name: string
  /** Rows with a value, each with its number in the sheet from 1, and its cells as text. */
  readonly rows: readonly CsvRow[]
}

/**
 * Reads one sheet of an Excel workbook (.xlsx), by its name or by default the first. Numbers are written with all their
 * digits, dates as ISO 8601, results of formulas as they were saved. Throws WorkbookError.
 */
export function readSheet(bytes: Buffer, wanted?: string): Sheet {
  const { name, rows } = readCells(bytes, wanted)
  const texts = rows.map(({ line, cells }) => ({ line, cells: cells.map((cell) => cell ?? '') }))
  return { name, rows: texts.filter(({ cells }) => cells.some((each) => each.trim() !== '')) }
}

export interface SheetCells {
  readonly name: string
  readonly rows: readonly { readonly line: number; readonly cells: readonly (string | null)[] }[]
}

/** As `readSheet`, with empty rows, and null for cells that hold nothing, not even empty text. */
export function readCells(bytes: Buffer, wanted?: string): SheetCells {
  const read = openZip(bytes)
  const workbook = read('xl/workbook.xml')
  if (workbook === null) throw new WorkbookError('expected an Excel workbook (.xlsx), got another zip file')
  const sheets = listSheets(workbook)
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted)
  if (sheet === undefined) {
    const names = sheets.map(({ name }) => JSON.stringify(name)).join(', ')
    throw new WorkbookError(`expected a sheet ${JSON.stringify(wanted ?? '')}, got ${names === '' ? 'none' : names}`)
  }
  const path = findTarget(read('xl/_rels/workbook.xml.rels') ?? '', sheet.id)
  const xml = path === null ? null : read(path)
  if (xml === null) throw new WorkbookError(`expected the sheet ${JSON.stringify(sheet.name)} in the file, got none`)
  const texts = readSharedTexts(read('xl/sharedStrings.xml') ?? '')
  const uses1904 = /<(?:\w+:)?workbookPr\b[^>]*date1904\s*=\s*["'](?:1|true)["']/.test(workbook)
  const formats = readFormats(read('xl/styles.xml') ?? '', uses1904)
  return { name: sheet.name, rows: readRows(xml, { texts, formats }) }
}

function listSheets(workbook: string): { name: string; id: string }[] {
  return [...readTags(workbook)].flatMap((tag) =>
    tag.name === 'sheet' && tag.isOpen ? [{ name: tag.attribute('name') ?? '', id: tag.attribute('id') ?? '' }] : [],
  )
}

function findTarget(relations: string, id: string): string | null {
  for (const { name, attribute } of readTags(relations)) {
    if (name !== 'Relationship' || attribute('Id') !== id) continue
    const target = attribute('Target') ?? ''
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`
  }
  return null
}

/** Texts may be in several parts, each with a font of its own; how they are pronounced is no part of them. */
function readSharedTexts(xml: string): string[] {
  const texts: string[] = []
  let isPhonetic = false
  for (const { name, isOpen, isClosed, text } of readTags(xml)) {
    if (name === 'si' && isOpen) texts.push('')
    if (name === 'rPh') isPhonetic = isOpen && !isClosed
    if (name === 't' && isOpen && !isPhonetic) texts.push((texts.pop() ?? '') + text)
  }
  return texts.map(unescape)
}

interface Reading {
  readonly texts: readonly string[]
  readonly formats: readonly CellFormat[]
}

function readRows(xml: string, reading: Reading): SheetCells['rows'] {
  const rows: { line: number; cells: (string | null)[] }[] = []
  let cell: OpenCell | null = null
  let column = -1
  for (const { name, isOpen, isClosed, text, attribute } of readTags(xml)) {
    if (name === 'row' && isOpen) {
      rows.push({ line: Number(attribute('r') ?? (rows.at(-1)?.line ?? 0) + 1), cells: [] })
      column = -1
    }
    if (name === 'c' && isOpen) {
      column = toColumn(attribute('r')) ?? column + 1
      cell = { type: attribute('t') ?? 'n', format: reading.formats[Number(attribute('s') ?? 0)], value: '' }
    }
    if (cell !== null && isOpen && (name === 'v' || name === 't')) cell.value += text
    if (cell !== null && name === 'c' && isClosed) {
      const row = rows.at(-1)?.cells ?? []
      while (row.length < column) row.push(null)
      row[column] = toText(cell, reading)
      cell = null
    }
  }
  return rows
}

interface OpenCell {
  readonly type: string
  readonly format: CellFormat | undefined
  value: string
}

function toText({ type, format, value }: OpenCell, { texts }: Reading): string | null {
  switch (type) {
    case 's':
      return texts[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'n':
      return value === '' ? null : formatNumber(value, format)
    default:
      return unescape(value)
  }
}

/** The shortest text of the number that is held; `5.413E+12` and `5413000000000.0` are whole. */
function formatNumber(value: string, format: CellFormat | undefined): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return (
    format?.(number) ??
    (Math.abs(number) < 1e21 && Number.isInteger(number) ? BigInt(number).toString() : String(number))
  )
}

/** `C7` is in the third column, which is 2. */
function toColumn(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Characters that XML can't hold are written as `_x000D_`. */
function unescape(text: string): string {
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
