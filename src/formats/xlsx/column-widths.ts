import type { Column } from '../../records/flatten/column.ts'
import { shownWidths } from './cell-styles.ts'

/** How many of the first rows, begun within so many bytes, decide the widths of columns. */
export const widthRows = 200
export const widthBytes = 1024 * 1024

export function measureWidths(columns: readonly Column[], xml: Uint8Array): number[] {
  const widths = columns.map(({ name }) => name.length + filterButton)
  for (const row of listRows(xml)) {
    let column = 0
    for (const cell of row.matchAll(cells)) {
      widths[column] = Math.max(widths[column] ?? 0, measureCell(cell.groups ?? {}))
      column += 1
    }
  }
  return widths.map((width) => Math.min(mostWidth, Math.max(leastWidth, width + margin)))
}

function* listRows(xml: Uint8Array): Generator<string> {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.length)
  for (let row = 0, start = 0; row < widthRows && start < widthBytes && start < bytes.length; row++) {
    const end = bytes.indexOf('</row>', start)
    yield bytes.toString('utf8', start, end)
    start = end + '</row>'.length
  }
}

const cells = /<c(?: s="(?<style>\d+)")?(?: t="(?<type>\w+)")?(?:\/>|>(?:<is><t[^>]*>|<v>)(?<value>[^<]*))/g

function measureCell({ style, type, value = '' }: Partial<Record<string, string>>): number {
  if (type === 'inlineStr') return Math.max(...value.split('\n').map(({ length }) => length))
  if (type === 'b') return 'FALSE'.length
  return shownWidths.get(Number(style ?? 0)) ?? value.length
}

/** Keeps columns readable side by side: a long text is read in its cell. */
const mostWidth = 60
const leastWidth = 6
const margin = 2
const filterButton = 2
