import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { mapCell, readWithArrow, readWithDuckDb, readWithHyparquet, toExactRows } from './read-back.ts'

export interface Readers {
  /** The rows of a file as each of the three sees them. */
  read(columns: readonly Column[], bytes: Buffer): Promise<ReadRows>
  /** The rows of a query of DuckDB, which is made of its FROM clause. */
  query(bytes: Buffer, toSql: (from: string) => string): Promise<unknown[][]>
  close(): Promise<void>
}

export interface ReadRows {
  readonly hyparquet: readonly Row[]
  readonly duckDb: readonly Row[]
  readonly arrow: readonly Row[]
}

/** The rows that each of them has to see. */
export function toReadRows(columns: readonly Column[], rows: readonly Row[]): ReadRows {
  const hyparquet = toExactRows(columns, rows)
  const unmarked = hyparquet.map((row) => row.map((cell) => mapCell(cell, withoutMark)))
  return { hyparquet, duckDb: unmarked, arrow: unmarked }
}

function withoutMark<Value>(value: Value): Value | string {
  return typeof value === 'string' && value.startsWith('\uFEFF') ? value.slice(1) : value
}

export async function openReaders(): Promise<Readers> {
  const folder = await mkdtemp(join(tmpdir(), 'readers-'))
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  let files = 0

  async function withFile<Result>(bytes: Buffer, use: (path: string) => Promise<Result>): Promise<Result> {
    // DuckDB remembers files by their names.
    const path = join(folder, `${files++}.parquet`)
    await writeFile(path, bytes)
    const result = await use(path)
    await rm(path)
    return result
  }

  return {
    async read(columns, bytes) {
      const duckDb = await withFile(bytes, (path) => readWithDuckDb(connection, path))
      return { hyparquet: await readWithHyparquet(columns, bytes), duckDb, arrow: readWithArrow(columns, bytes) }
    },
    query: (bytes, toSql) =>
      withFile(bytes, async (path) =>
        (await connection.runAndReadAll(toSql(`FROM read_parquet('${path}')`))).getRows(),
      ),
    async close() {
      instance.closeSync()
      await rm(folder, { recursive: true })
    },
  }
}
