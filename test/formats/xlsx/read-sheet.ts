import { readZip } from './read-zip.ts'

/** The rows of a sheet of a workbook as objects by header: texts, and numbers as text; a cell without a value is missing. */
export function readSheet(workbook: Buffer, name: string): Record<string, string>[] {
  const parts = readZip(workbook)
  const names = [...parts.get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]*)"/g)].map(([, each]) => each)
  const sheet = parts.get(`xl/worksheets/sheet${names.indexOf(name) + 1}.xml`)!
  const [header = [], ...rows] = [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) => readCells(row))
  return rows.map((cells) =>
    Object.fromEntries(cells.flatMap((cell, at) => (cell === undefined ? [] : [[header[at] ?? '', cell]]))),
  )
}

function readCells(row: string): (string | undefined)[] {
  const cells = row.matchAll(/<c\/>|<c [^>]*>(?:<v>|<is><t[^>]*>)(.*?)<\/(?:v|t)>.*?<\/c>/gs)
  return [...cells].map(([, text]) => text?.replaceAll(/&(lt|gt|quot|amp);/g, (_, entity: string) => entities[entity]!))
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
