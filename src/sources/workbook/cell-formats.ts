import { readTags } from './xml-tags.ts'

/** The text of a number that its cell shows as something else; null if as a number. */
export type CellFormat = (number: number) => string | null

/** The formats of cells, by the number that a cell names. */
export function readFormats(styles: string, uses1904: boolean): CellFormat[] {
  const codes = new Map<string, string>()
  const formats: CellFormat[] = []
  let isOfCells = false
  for (const { name, isOpen, attribute } of readTags(styles)) {
    if (name === 'numFmt' && isOpen) codes.set(attribute('numFmtId') ?? '', attribute('formatCode') ?? '')
    if (name === 'cellXfs') isOfCells = isOpen
    if (name === 'xf' && isOpen && isOfCells) formats.push(toFormat(attribute('numFmtId') ?? '0', codes, uses1904))
  }
  return formats
}

function toFormat(id: string, codes: ReadonlyMap<string, string>, uses1904: boolean): CellFormat {
  const code = (codes.get(id) ?? builtIn(Number(id))).split(';')[0] ?? ''
  // Quoted text, colours and escaped characters say nothing about the value; [h] counts hours beyond a day.
  const bare = code.replaceAll(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]/gi, '')
  if (/^0{2,}$/.test(bare)) return (number) => (Number.isInteger(number) ? padNumber(number, bare.length) : null)
  if (!/[dyhms]/i.test(bare) || /general/i.test(bare)) return () => null
  const unit = /s\.0/i.test(bare) ? 1 : 1000
  return (number) => formatMoment(number, uses1904, unit)
}

/** ECMA-376, 18.8.30: the numbers of formats that no workbook writes down; those of dates and times matter. */
function builtIn(id: number): string {
  const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
  return isDate ? 'yyyy-mm-dd' : 'General'
}

/** A code that is held as a number and shown with its zeros. */
function padNumber(number: number, length: number): string {
  return number < 0 ? `-${String(-number).padStart(length, '0')}` : String(number).padStart(length, '0')
}

/**
 * Days since the end of 1899, or of 1903; `2026-01-02`, with a time if it has one, rounded to a unit of milliseconds. Null
 * if there is no such day.
 */
function formatMoment(days: number, uses1904: boolean, unit: number): string | null {
  const since1970 = days - (uses1904 ? 24_107 : 25_569)
  const moment = new Date(Math.round((since1970 * 86_400_000) / unit) * unit)
  if (Number.isNaN(moment.getTime()) || days < 1) return null
  const text = moment.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 23).replace('.000', '')
}
