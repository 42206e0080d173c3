import { tableFromIPC } from 'apache-arrow'
import * as fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Table } from 'parquet-wasm/node'
import { describe, expect, it } from 'vitest'
import type { Column, ColumnType, Row, Scalar } from '../../src/records/column.ts'
import { createArrowTableEncoder } from '../../src/scan/encode-arrow.ts'
import { createArrowEncoder } from '../../src/sinks/arrow.ts'
import { createParquetWriter } from '../../src/sinks/parquet/parquet-writer.ts'
import { column, everyRow } from '../sinks/every-type.ts'
import { defaultOptions, runId } from '../sinks/write-parquet.ts'
import { openTables } from './cell-tables.ts'
import { cellColumns, cellRows, isSeconds } from './every-cell.ts'

const endRows: readonly Row[] = everyRow.map((row) => [...row, null, null])

describe('a piece', () => {
  it('is read by apache-arrow and by parquet-wasm as the piece of the plain encoder, whatever the cells', () => {
    const encodeRows = createArrowEncoder(cellColumns)
    const { tables, module, fill } = openTables(cellColumns, isSeconds)
    const encodeTable = createArrowTableEncoder(module, tables, 0, onlyForTheSchema(encodeRows))
    fc.assert(
      fc.property(cellRows, (rows) => {
        fill(rows)
        expect(readPiece(encodeTable())).toEqual(readPiece(encodeRows(rows)))
      }),
      { numRuns: 50 },
    )
  })

  it('is the same at the ends of every type', () => {
    expect(readPiece(encode(cellColumns, endRows))).toEqual(readPiece(plainly(cellColumns, endRows)))
  })

  it('has a batch of no rows for no rows', () => {
    expect(readPiece(encode(cellColumns, []))).toEqual(readPiece(plainly(cellColumns, [])))
  })

  it('is the same for any number of rows, and where it outgrows the room there was', () => {
    const columns = [
      column('a', 'text'),
      column('b', 'boolean'),
      column('c', 'text', true),
      column('d', 'boolean', true),
    ]
    for (const count of [1, 7, 8, 9, 15, 16, 17, 100, 1000]) {
      const rows = Array.from({ length: count }, (_, index): Row => {
        const text = 'x'.repeat(index % 300)
        return [
          index % 7 === 3 ? null : text,
          index % 3 === 0,
          [text, null],
          index % 5 === 0 ? null : [true, false, null],
        ]
      })
      expect(readPiece(encode(columns, rows))).toEqual(readPiece(plainly(columns, rows)))
    }
  })

  it('holds every float exactly, minus zero included', () => {
    const columns = [column('a', 'float')]
    const { tables, module, fill } = openTables(columns)
    const encodeTable = createArrowTableEncoder(module, tables, 0, onlyForTheSchema(createArrowEncoder(columns)))
    const unusual = [-0, 0, 5e-324, 1.7976931348623157e308, 2 ** 53, 2 ** 53 + 2, 1e21, 1e22, 1e23, 123456789012345680]
    const float = fc.oneof(
      fc.double(),
      fc.double({ min: 0, max: 1e9 }).map((value) => Math.round(value * 100) / 100),
    )
    fc.assert(
      fc.property(fc.array(float, { maxLength: 100 }), (values) => {
        fill([...values, ...unusual].map((value) => [value]))
        expect([...(tableFromIPC(encodeTable()).getChildAt(0) ?? [])]).toStrictEqual([...values, ...unusual])
      }),
    )
  })
})

describe('a value that does not fit its column', () => {
  it.each<[string, ColumnType, Scalar]>([
    ['64 bits', { kind: 'integer' }, 2n ** 63n],
    ['64 bits', { kind: 'integer' }, -(2n ** 63n) - 1n],
    ['64 bits', { kind: 'integer' }, 10n ** 30n],
    ['at most 4 digits', { kind: 'decimal', precision: 4, scale: 2 }, -10_000],
    ['at most 38 digits', { kind: 'decimal', precision: 38, scale: 0 }, 10n ** 38n],
  ])('of %s ends the run: %o %s', (expected, type, value) => {
    const columns = [column('price', type)]
    const { tables, module, fill } = openTables(columns)
    fill([[value]])
    expect(createArrowTableEncoder(module, tables, 0, createArrowEncoder(columns))).toThrow(
      expect.objectContaining({ code: 'OUTPUT_FAILED', message: expect.stringMatching(`"price".*${expected}`) }),
    )
  })
})

describe('a Parquet file', () => {
  it('has the bytes that the pieces of the plain encoder give, and hyparquet reads it', async () => {
    const { tables, module, fill } = openTables(cellColumns, isSeconds)
    const encodeTable = createArrowTableEncoder(module, tables, 0, createArrowEncoder(cellColumns))
    fill(endRows)
    const file = await writeParquet(cellColumns, [encodeTable(), encodeTable()])
    const plain = plainly(cellColumns, endRows)
    expect(file).toEqual(await writeParquet(cellColumns, [plain, plain]))
    const rows = await parquetReadObjects({ file: new Uint8Array(file).buffer, compressors })
    expect(rows.map(({ integer }) => integer)).toEqual(
      [0, 1].flatMap(() => [-(2n ** 63n), 2n ** 63n - 1n, -9007199254740991n, null, null, null]),
    )
  })
})

async function writeParquet(columns: readonly Column[], pieces: readonly Uint8Array[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const writer = createParquetWriter({ ...defaultOptions(columns), write: async (bytes) => void chunks.push(bytes) })
  for (const piece of pieces) await writer.write(piece)
  await writer.finish(runId)
  return Buffer.concat(chunks)
}

function encode(columns: readonly Column[], rows: readonly Row[]): Uint8Array {
  const { tables, module, fill } = openTables(columns, isSeconds)
  fill(rows)
  const piece = createArrowTableEncoder(module, tables, 0, onlyForTheSchema(createArrowEncoder(columns)))()
  expect(piece.buffer.byteLength).toBe(piece.byteLength)
  return piece
}

function plainly(columns: readonly Column[], rows: readonly Row[]): Uint8Array {
  return createArrowEncoder(columns)(rows)
}

/** A piece in the eyes of its readers: its schema, the values, and what parquet-wasm makes of it. */
function readPiece(piece: Uint8Array) {
  const bytes = Buffer.from(piece)
  return {
    schema: bytes.toString('hex', 0, 8 + bytes.readUInt32LE(4)),
    values: readValues(piece),
    again: Buffer.from(Table.fromIPCStream(piece).intoIPCStream()).toString('hex'),
  }
}

function readValues(piece: Uint8Array): unknown[] {
  const table = tableFromIPC(piece)
  return table.schema.fields.map((_, index) => {
    const vector = table.getChildAt(index)
    return [
      vector?.nullCount,
      JSON.stringify([...(vector ?? [])], (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    ]
  })
}

/** The plain encoder, which may be asked for its schema only. */
function onlyForTheSchema(encodeRows: ReturnType<typeof createArrowEncoder>): typeof encodeRows {
  return (rows) => {
    expect(rows).toEqual([])
    return encodeRows(rows)
  }
}
