import type { DuckDBDataChunk } from '@duckdb/node-api'
import { isText, type Cell, type Column } from '../../records/flatten/column.ts'
import type { Duckdb } from './open-duckdb.ts'
import {
  compileReadNumbers,
  compileReadVector,
  readBytes,
  type ReadVector,
  type VectorBindings,
} from './read-vector.ts'

/**
 * Rows of a query that names its columns `c0`, `c1`, … as ours, in batches as DuckDB makes them. All texts of a row come
 * as one, those of lists too, with their lengths: asking DuckDB for each took four times as long.
 */
export async function* readRows(duckdb: Duckdb, query: string, columns: readonly Column[]): AsyncGenerator<Cell[][]> {
  const { bindings } = duckdb
  const texts = [...columns.entries()].filter(([, column]) => isText(column.type))
  const others = [...columns.entries()].filter(([, column]) => !isText(column.type))
  const selected = [
    ...(texts.length > 0 ? [`concat(${texts.map(([index, { list }]) => formatText(index, list)).join(', ')})`] : []),
    ...texts.map(([index, { list }]) => formatLengths(index, list)),
    ...others.map(([index]) => `c${index}`),
  ]
  const textColumns = texts.map(([index, { list }]) => ({ index, read: compileReadNumbers(bindings, list) }))
  const otherColumns = others.map(([index, { type, list }]) => ({
    index,
    read: compileReadVector(bindings, { type, list }),
  }))
  const empty = columns.map((): Cell => null)
  for await (const chunk of duckdb.readChunks(`SELECT ${selected.join(', ')} FROM (${query})`)) {
    const rows = Array.from({ length: chunk.rowCount }, () => empty.slice())
    readTexts(bindings, chunk, textColumns, rows)
    for (const [at, column] of otherColumns.entries())
      readColumn(bindings, chunk, { ...column, at: selected.length - others.length + at }, rows)
    yield rows
  }
}

function formatText(index: number, list: boolean): string {
  return list ? `array_to_string(c${index}, '')` : `c${index}`
}

function formatLengths(index: number, list: boolean): string {
  return list ? `list_transform(c${index}, lambda text: strlen(text)::INTEGER)` : `strlen(c${index})::INTEGER`
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
  columns: readonly { readonly index: number; readonly read: ReturnType<typeof compileReadNumbers> }[],
  rows: Cell[][],
): void {
  if (columns.length === 0) return
  const count = rows.length
  const joined = bindings.vector_get_data(bindings.data_chunk_get_vector(chunk, 0), count * 16)
  const lengths = columns.map(({ read }, at) => read(bindings.data_chunk_get_vector(chunk, at + 1), count))
  for (const [row, cells] of rows.entries()) {
    const texts = new JoinedTexts(readBytes(bindings, joined, row))
    for (const [at, { index }] of columns.entries()) {
      const length = lengths[at]?.[row] ?? null
      if (length !== null) cells[index] = typeof length === 'number' ? texts.take(length) : texts.takeAll(length)
    }
  }
}

/** Texts that stand one behind the other. */
class JoinedTexts {
  readonly #bytes: Buffer
  /** The same, a character a byte. */
  readonly #latin1: string
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#latin1 = bytes.toString('latin1')
  }

  /** The next one, of so many bytes. */
  take(length: number): string {
    const start = this.#at
    this.#at += length
    const text = this.#latin1.slice(start, this.#at)
    return beyondAscii.test(text) ? this.#bytes.toString('utf8', start, this.#at) : text
  }

  takeAll(lengths: readonly (number | null)[]): (string | null)[] {
    return lengths.map((length) => (length === null ? null : this.take(length)))
  }
}

const beyondAscii = /[\u0080-\u00ff]/
