import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Column, Row } from '../../../src/records/column.ts'
import { anyColumns, rowsOf } from './arbitrary-table.ts'
import { mapCell, readWithArrow, readWithDuckDb, readWithHyparquet, toExactRows } from './read-back.ts'
import { writeParquet } from './write-parquet.ts'

let folder = ''
let instance: DuckDBInstance
let connection: DuckDBConnection
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'round-trip-'))
  instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  connection = await instance.connect()
})
afterAll(async () => {
  instance.closeSync()
  await rm(folder, { recursive: true })
})

describe.each(['zstd', 'snappy', 'gzip', 'none'] as const)('with %s', (compression) => {
  it('all readers see the rows that were written, whatever they are and however they are cut', async () => {
    const tables = anyColumns().chain((columns) =>
      fc.record({
        columns: fc.constant(columns),
        rows: rowsOf(columns, 300),
        pieceRows: fc.integer({ min: 1, max: 400 }),
        rowGroupRows: fc.integer({ min: 1, max: 400 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(tables, async ({ columns, rows, pieceRows, rowGroupRows }) => {
        const pieces = Array.from({ length: Math.ceil(rows.length / pieceRows) }, (_, index) =>
          rows.slice(index * pieceRows, (index + 1) * pieceRows),
        )
        const bytes = await writeParquet(columns, pieces, { compression, rowGroupRows })
        expect(await readBack(columns, bytes)).toEqual(expectBack(columns, rows))
      }),
      { numRuns: 40 },
    )
  })
})

/** By each reader. */
async function readBack(columns: readonly Column[], bytes: Buffer) {
  // DuckDB remembers files by their names.
  const path = join(folder, `${files++}.parquet`)
  await writeFile(path, bytes)
  const duckDb = await readWithDuckDb(connection, path)
  await rm(path)
  return { hyparquet: await readWithHyparquet(columns, bytes), duckDb, arrow: readWithArrow(columns, bytes) }
}

function expectBack(columns: readonly Column[], rows: readonly Row[]) {
  const hyparquet = toExactRows(columns, rows)
  const unmarked = hyparquet.map((row) => row.map((cell) => mapCell(cell, withoutMark)))
  return { hyparquet, duckDb: unmarked, arrow: unmarked }
}

function withoutMark<Value>(value: Value): Value | string {
  return typeof value === 'string' && value.startsWith('\uFEFF') ? value.slice(1) : value
}
