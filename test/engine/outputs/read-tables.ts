import { readFile } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import polars from 'nodejs-polars'
import { toText, type ExpectedColumn, type PlainCell } from './expected-tables.ts'

type Rows = readonly (readonly PlainCell[])[]
type Read = (path: string, columns: readonly ExpectedColumn[]) => Promise<Rows>

export interface TableReaders {
  readonly csvWithDuckDb: Read
  readonly parquetWithDuckDb: Read
  readonly parquetWithHyparquet: Read
  readonly parquetWithPolars: Read
  readonly ndjsonByHand: Read
  readonly close: () => void
}

/** Independent readers of the files that a run leaves; each gives the cells in words. */
export async function openReaders(): Promise<TableReaders> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][]
  return {
    async csvWithDuckDb(path, columns) {
      const names = columns.map(({ name }) => `'${name}': 'VARCHAR'`).join(', ')
      const options = `header = true, auto_detect = false, allow_quoted_nulls = false, columns = {${names}}`
      const rows = await query(`SELECT * FROM read_csv('${path}', ${options}, delim = ',', quote = '"', escape = '"')`)
      return rows.map((row) => row.map((cell, at) => fromCsv(cell as string | null, columns[at]!)))
    },
    async parquetWithDuckDb(path, columns) {
      const rows = await query(`SELECT * FROM read_parquet('${path}')`)
      return toPlain(rows, columns)
    },
    async parquetWithHyparquet(path, columns) {
      const bytes = new Uint8Array(await readFile(path))
      const rows = await parquetReadObjects({ file: bytes.buffer, compressors })
      return toPlain(
        rows.map((row) => columns.map(({ name }) => row[name] as unknown)),
        columns,
      )
    },
    parquetWithPolars: readWithPolars,
    async ndjsonByHand(path, columns) {
      const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
      const rows = lines.map((line) => Object.entries(JSON.parse(line) as Record<string, unknown>))
      for (const row of rows) {
        const names = row.map(([name]) => name).join()
        if (names !== columns.map(({ name }) => name).join()) throw new Error(`unexpected columns: ${names}`)
      }
      return toPlain(
        rows.map((row) => row.map(([, cell]) => cell)),
        columns,
      )
    },
    close: () => instance.closeSync(),
  }
}

/** Whole numbers and date-times as text: in JavaScript polars makes floats of 64 bits. */
async function readWithPolars(path: string, columns: readonly ExpectedColumn[]): Promise<Rows> {
  const { readParquet, col, List, Utf8, Int64 } = polars
  const frame = readParquet(await readFile(path))
  const texts = columns
    .filter(({ type }) => /^(?:integer|timestamp)/.test(type))
    .map(({ name, type }) => {
      const isList = type.endsWith(' list')
      return col(name)
        .cast(isList ? List(Int64) : Int64)
        .cast(isList ? List(Utf8) : Utf8)
    })
  const rows = (texts.length === 0 ? frame : frame.withColumns(...texts)).toRecords() as Record<string, unknown>[]
  return toPlain(
    rows.map((row) => columns.map(({ name }) => row[name])),
    columns.map(({ name, type }) => ({ name, type: type.replace('timestamp', 'integer') })),
  )
}

/** CSV has text only: date-times in ISO 8601, the elements of a list joined and escaped. */
function fromCsv(cell: string | null, { type }: ExpectedColumn): PlainCell {
  const isList = type.endsWith(' list')
  if (cell === null) return null
  if (!isList) return toPlainScalar(cell, type)
  // An empty cell is an empty list, or a list of one empty element: CSV has no difference.
  if (cell === '') return []
  return splitList(cell).map((element) => (element === '' ? null : toPlainScalar(element, type.replace(' list', ''))))
}

function splitList(text: string): string[] {
  const elements = ['']
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '|') elements.push('')
    else elements[elements.length - 1] += character === '\\' ? text.charAt(++at) : character
  }
  return elements
}

export function toPlain(rows: readonly (readonly unknown[])[], columns: readonly ExpectedColumn[]): Rows {
  return rows.map((row) =>
    row.map((cell, at) => {
      const { type = '' } = columns[at] ?? {}
      if (Array.isArray(cell)) return cell.map((element) => toPlainScalar(element, type.replace(' list', '')))
      return toPlainScalar(cell, type)
    }),
  )
}

function toPlainScalar(cell: unknown, type: string): string | null {
  if (cell === null || cell === undefined) return null
  if (cell instanceof Date) return String(cell.getTime())
  if (type === 'timestamp' && typeof cell === 'string') {
    return String(Date.parse(cell.replace(' ', 'T').replace(/\+00$/, 'Z')))
  }
  return typeof cell === 'bigint' ? String(cell) : toText(cell)
}
