import { crc32 } from 'node:zlib'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { checkBounds } from './check-bounds.ts'
import { type ReadChunk, type ReadPage, readChunks } from './read-chunks.ts'
import { summarizeCells } from './summarize-cells.ts'

/**
 * Lists the faults of what a file says of its rows: counts, bounds and places of each chunk and page, sums and sizes. Every
 * byte up to the indexes has to belong to a page.
 */
export function checkChunks(columns: readonly Column[], rows: readonly Row[], file: Buffer): string[] {
  const problems: string[] = []
  const chunks = readChunks(file)
  let end = 4
  let rowEnd = 0
  for (const chunk of chunks) {
    const where = (problem: string) => `chunk ${chunk.group}/${chunk.column}: ${problem}`
    if (chunk.column === 0) rowEnd += chunk.rows
    const groupRows = rows.slice(rowEnd - chunk.rows, rowEnd)
    const pages = [chunk.dictionary, ...chunk.pages].filter((page) => page !== null)
    for (const page of pages) {
      if (page.start !== end) problems.push(where(`a page at ${page.start}, expected at ${end}`))
      if (page.crc !== (crc32(page.body) | 0)) problems.push(where('a wrong checksum'))
      end = page.start + page.headerBytes + page.body.length
    }
    problems.push(...checkSums(chunk, pages).map(where))
    problems.push(...checkRows(columns[chunk.column] as Column, chunk, groupRows).map(where))
  }
  if (rowEnd !== rows.length) problems.push(`${rowEnd} rows, expected ${rows.length}`)
  return problems
}

function checkSums(chunk: ReadChunk, pages: readonly ReadPage[]): string[] {
  const sum = (sizeOf: (page: ReadPage) => number) => pages.reduce((bytes, page) => bytes + sizeOf(page), 0)
  const problems: string[] = []
  if (sum(({ headerBytes, body }) => headerBytes + body.length) !== chunk.compressedBytes) problems.push('bytes')
  if (sum(({ headerBytes, uncompressedBytes }) => headerBytes + uncompressedBytes) !== chunk.uncompressedBytes) {
    problems.push('uncompressed bytes')
  }
  return problems
}

function checkRows(column: Column, chunk: ReadChunk, rows: readonly Row[]): string[] {
  const cells = rows.map((row) => row[chunk.column] ?? null)
  const { slots, nulls, bounds } = summarizeCells(column, cells)
  const problems = checkBounds(column.type, chunk.bounds, bounds)
  if (chunk.values !== slots || chunk.nulls !== nulls) problems.push('a count of values or nulls')
  for (const [index, page] of chunk.pages.entries()) {
    const part = cells.slice(page.firstRow, chunk.pages[index + 1]?.firstRow ?? chunk.rows)
    const truth = summarizeCells(column, part)
    if (part.length > 20_000) problems.push(`a page of ${part.length} rows`)
    if (page.values !== truth.slots || page.nulls !== truth.nulls) problems.push(`page ${index}: a count`)
    problems.push(...checkBounds(column.type, page.bounds, truth.bounds).map((problem) => `page ${index}: ${problem}`))
  }
  return problems
}
