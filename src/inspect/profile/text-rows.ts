import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defaultCsvDialect } from '../../formats/csv.ts'
import type { ListedColumn } from './readable-table.ts'
import { formatCsvTable } from './text-table.ts'

export type TextRow = readonly (string | null | undefined)[]

/**
 * Writes rows of text to a CSV file, and gives SQL that reads it as a typed table. Lists are joined by the separator, or
 * JSON without one.
 */
export async function copyTextRows(
  path: string,
  columns: readonly ListedColumn[],
  listSeparator: string | null,
  rows: Iterable<TextRow> | AsyncIterable<TextRow>,
): Promise<string> {
  await pipeline(Readable.from(formatLines(rows, columns.length)), createWriteStream(path))
  return formatCsvTable([path], columns, { ...defaultCsvDialect, header: false, listSeparator }, false)
}

async function* formatLines(rows: Iterable<TextRow> | AsyncIterable<TextRow>, width: number): AsyncGenerator<string> {
  let lines = ''
  for await (const row of rows) {
    lines += `${Array.from({ length: width }, (_, at) => formatCell(row[at])).join(',')}\n`
    if (lines.length < mostBuffered) continue
    yield lines
    lines = ''
  }
  yield lines
}

const mostBuffered = 1024 * 1024

function formatCell(cell: string | null | undefined): string {
  return cell === null || cell === undefined ? '' : `"${cell.replaceAll('"', '""')}"`
}
