import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { cases } from '../../depth.ts'
import { anyColumns, rowsOf } from './arbitrary-table.ts'
import { openReaders, toReadRows } from './open-readers.ts'
import { toPieces, writeParquet } from './write-parquet.ts'

const readers = await openReaders()
afterAll(() => readers.close())

describe.each(['zstd', 'snappy', 'gzip', 'none'] as const)('with %s', (compression) => {
  it('all readers of Parquet see the rows that were written, for any rows and cuts', async () => {
    const tables = anyColumns().chain((columns) =>
      fc.record({
        columns: fc.constant(columns),
        rows: rowsOf(columns, 300),
        pieceRows: fc.integer({ min: 1, max: 400 }),
        rowGroups: fc.integer({ min: 1, max: 8 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(tables, async ({ columns, rows, pieceRows, rowGroups }) => {
        const rowGroupRows = Math.ceil(rows.length / rowGroups)
        const bytes = await writeParquet(columns, toPieces(rows, pieceRows), { compression, rowGroupRows })
        expect(await readers.read(columns, bytes)).toEqual(toReadRows(columns, rows))
      }),
      { numRuns: cases(40) },
    )
  })
})
