import { formatStyles } from './cell-styles.ts'
import { toColumnLetters } from './sheet-xml.ts'
import { escapeText } from './text-cell.ts'

export interface ListedSheet {
  readonly name: string
  /** Rows of data, without the header. */
  readonly rows: number
  readonly columns: number
}

/** The path of a sheet in the zip; `number` begins with 1. */
export function toSheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`
}

/** The parts of a workbook other than its sheets, by path in the zip, in their order there. */
export function formatWorkbookParts(sheets: readonly ListedSheet[]): [path: string, xml: string][] {
  const parts: [string, string][] = [
    ['[Content_Types].xml', formatContentTypes(sheets.length)],
    ['_rels/.rels', formatRelations([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', formatWorkbook(sheets)],
    ['xl/_rels/workbook.xml.rels', formatSheetRelations(sheets.length)],
    ['xl/styles.xml', formatStyles()],
  ]
  return parts.map(([path, xml]) => [path, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`])
}

function formatContentTypes(sheets: number): string {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const overrides = [
    ['xl/workbook.xml', `${main}.sheet.main+xml`],
    ['xl/styles.xml', `${main}.styles+xml`],
    ...numbers.map((number) => [toSheetPath(number), `${main}.worksheet+xml`]),
  ].map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`)
  return (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  )
}

function formatSheetRelations(sheets: number): string {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const toSheets = numbers.map((number): Relation => ['worksheet', `worksheets/sheet${number}.xml`])
  return formatRelations([...toSheets, ['styles', 'styles.xml']])
}

type Relation = [type: string, target: string]

function formatRelations(relations: readonly Relation[]): string {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const elements = relations.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${types}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${elements.join('')}</Relationships>`
}

function formatWorkbook(sheets: readonly ListedSheet[]): string {
  const listed = sheets.map(
    ({ name }, index) => `<sheet name="${escapeText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  return (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"' +
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
    `<workbookPr/><bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets>` +
    `<definedNames>${sheets.map(formatFilter).join('')}</definedNames></workbook>`
  )
}

function formatFilter({ name, rows, columns }: ListedSheet, index: number): string {
  const sheet = `'${escapeText(name).replaceAll("'", "''")}'`
  const range = `$A$1:$${toColumnLetters(columns)}$${rows + 1}`
  return `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">${sheet}!${range}</definedName>`
}
