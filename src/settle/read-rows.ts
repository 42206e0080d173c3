import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { Cell, Column, Scalar } from '../records/column.ts'
import type { Duckdb } from './open-duckdb.ts'
import { compileReadVector, readBytes, readNulls, type ReadVector, type VectorBindings } from './read-vector.ts'

/**
 * Rows of a query that names its columns `c0`, `c1`, … as ours, in batches as DuckDB makes them. All texts of a row come
 * as one, with their lengths: asking DuckDB for each took four times as long.
 */
export async function* readRows(duckdb: Duckdb, query: string, columns: readonly Column[]): AsyncGenerator<Cell[][]> {
  const texts = [...columns.keys()].filter((index) => isText(columns[index] as Column))
  const others = [...columns.keys()].filter((index) => !isText(columns[index] as Column))
  const selected = [
    ...(texts.length > 0 ? [`concat(${texts.map((index) => `c${index}`).join(', ')})`] : []),
    ...texts.map((index) => `strlen(c${index})::INTEGER`),
    ...others.map((index) => `c${index}`),
  ]
  const { bindings } = duckdb
  const readColumns = others.map((index) => ({
    index,
    read: compileReadVector(bindings, columns[index] as Column),
  }))
  const empty = columns.map((): Cell => null)
  for await (const chunk of duckdb.readChunks(`SELECT ${selected.join(', ')} FROM (${query})`)) {
    const rows = Array.from({ length: chunk.rowCount }, () => empty.slice())
    readTexts(bindings, chunk, texts, rows)
    for (const [at, column] of readColumns.entries())
      readColumn(bindings, chunk, { ...column, at: texts.length + (texts.length > 0 ? 1 : 0) + at }, rows)
    yield rows
  }
}

function isText({ type, list }: Column): boolean {
  return !list && (type.kind === 'text' || type.kind === 'json')
}

function readColumn(
  bindings: VectorBindings,
  { chunk }: DuckDBDataChunk,
  { index, at, read }: { readonly index: number; readonly at: number; readonly read: ReadVector<Cell> },
  rows: Cell[][],
): void {
  const cells = read(bindings.data_chunk_get_vector(chunk, at), rows.length)
  for (let row = 0; row < rows.length; row++) (rows[row] as Cell[])[index] = cells[row] as Cell
}

/** The first vector has all texts of a row, those behind it the length in bytes of each. */
function readTexts(
  bindings: VectorBindings,
  { chunk }: DuckDBDataChunk,
  texts: readonly number[],
  rows: Cell[][],
): void {
  if (texts.length === 0) return
  const count = rows.length
  const joined = bindings.vector_get_data(bindings.data_chunk_get_vector(chunk, 0), count * 16)
  const lengths = texts.map((_, at) => readLengths(bindings, bindings.data_chunk_get_vector(chunk, at + 1), count))
  for (const [row, cells] of rows.entries()) {
    const bytes = readBytes(bindings, joined, row)
    const text = bytes.toString('latin1')
    let start = 0
    for (let at = 0; at < lengths.length; at++) {
      const length = (lengths[at] as ReadLength)(row)
      if (length === null) continue
      const end = start + length
      cells[texts[at] as number] = toText(bytes, text, start, end)
      start = end
    }
  }
}

type ReadLength = (row: number) => number | null

function readLengths(...[bindings, vector, count]: Parameters<typeof readNulls>): ReadLength {
  const data = bindings.vector_get_data(vector, count * 4)
  const lengths = new Int32Array(data.buffer, data.byteOffset, count)
  const isNull = readNulls(bindings, vector, count)
  return (row) => (isNull(row) ? null : (lengths[row] as number))
}

/** A part of the bytes, which as Latin-1 are the text where they are ASCII. */
function toText(bytes: Buffer, latin1: string, start: number, end: number): Scalar {
  const text = latin1.slice(start, end)
  return beyondAscii.test(text) ? bytes.toString('utf8', start, end) : text
}

const beyondAscii = /[\u0080-\u00ff]/
