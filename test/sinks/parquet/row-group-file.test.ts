import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetQuery } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import polars from 'nodejs-polars'
import {
  Compression,
  EnabledStatistics,
  readParquet,
  Table,
  writeParquet as encodeWhole,
  WriterPropertiesBuilder,
} from 'parquet-wasm/node'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../src/records/column.ts'
import { createArrowEncoder } from '../../src/sinks/arrow.ts'
import { joinArrowStreams, parseArrowStream } from '../../src/sinks/arrow-stream.ts'
import { formatFooter, parseFooter } from '../../src/sinks/parquet/parquet-footer.ts'
import { createRowGroupEncoder } from '../../src/sinks/parquet/row-group-encoder.ts'
import { createRowGroupFile } from '../../src/sinks/parquet/row-group-file.ts'
import { findPagesEnd, moveRowGroup, placeIndexes } from '../../src/sinks/parquet/row-group-metadata.ts'
import { column, everyColumn, everyRow } from './every-type.ts'
import { queryDuckDb } from './query-duckdb.ts'
import { withScratchFile } from './scratch-file.ts'
import { runId, toArrayBuffer } from './write-parquet.ts'

const columns = [column('id', 'integer'), column('name', 'text'), column('tags', 'text', true)]
const encodePiece = createArrowEncoder(columns)
const encode = createRowGroupEncoder(columns, 'zstd')

describe('row groups encoded on their own', () => {
  it('are the file that one encoder writes, to the byte', async () => {
    const pieces = Array.from({ length: 12 }, (_, index) => encodePiece(rowsFrom(index * 2500, 2500)))
    const groups = [0, 3, 6, 9].map((start) => encode({ pieces: pieces.slice(start, start + 3), rows: 7500 }))
    expect(Buffer.compare(await stitch(groups), encodeInOne(pieces, 7500))).toBe(0)
  })

  it('are that file for every type, nulls and empty lists', async () => {
    const pieces = Array.from({ length: 5 }, () => createArrowEncoder(everyColumn)(everyRow))
    const encodeEvery = createRowGroupEncoder(everyColumn, 'zstd')
    const groups = pieces.map((piece) => encodeEvery({ pieces: [piece], rows: everyRow.length }))
    expect(Buffer.compare(await stitch(groups), encodeInOne(pieces, everyRow.length))).toBe(0)
  })

  it('give the same bytes in whatever order they were encoded', async () => {
    const pieces = Array.from({ length: 6 }, (_, index) => encodePiece(rowsFrom(index * 1000, 1000)))
    const forwards = pieces.map((piece) => encode({ pieces: [piece], rows: 1000 }))
    const backwards = pieces
      .toReversed()
      .map((piece) => createRowGroupEncoder(columns, 'zstd')({ pieces: [piece], rows: 1000 }))
    expect((await stitch(forwards)).equals(await stitch(backwards.toReversed()))).toBe(true)
  })
})

describe('a file of 300 row groups', () => {
  const written = stitch(Array.from({ length: 300 }, (_, index) => encodeRows(index * 10, 10)))

  it('has them in order, each with its number, statistics and indexes', async () => {
    const { row_groups, num_rows } = parquetMetadata(toArrayBuffer(await written))
    expect(num_rows).toBe(3000n)
    expect(row_groups.map(({ ordinal }) => ordinal)).toEqual(row_groups.map((_, index) => index))
    const ids = row_groups.map((group) => group.columns[0]?.meta_data?.statistics)
    expect(ids.map((statistics) => statistics?.min_value)).toEqual(row_groups.map((_, index) => BigInt(index * 10)))
    for (const { offset_index_length, column_index_length } of row_groups.flatMap((group) => group.columns)) {
      expect([Number(offset_index_length) > 0, Number(column_index_length) > 0]).toEqual([true, true])
    }
  })

  it('is read by DuckDB, which leaves out row groups by their statistics', async () => {
    await withScratchFile(await written, async (path) => {
      const from = `FROM read_parquet('${path}')`
      expect(await queryDuckDb(`SELECT count(*)::INT, sum(id)::INT, sum(len(tags))::INT ${from}`)).toEqual([
        [3000, 4_498_500, 6000],
      ])
      expect(await queryDuckDb(`SELECT name ${from} WHERE id BETWEEN 1234 AND 1235`)).toEqual([['name 4'], ['name 5']])
      const groups = `SELECT stats_min_value, stats_max_value FROM parquet_metadata('${path}')`
      expect(await queryDuckDb(`${groups} WHERE row_group_id = 123 AND path_in_schema = 'id'`)).toEqual([
        ['1230', '1239'],
      ])
    })
  })

  it('is read by way of the indexes of its pages', async () => {
    const file = toArrayBuffer(await written)
    const found = await parquetQuery({ file, compressors, filter: { id: { $gte: 1234, $lt: 1236 } } })
    expect(found.map(({ name }) => name)).toEqual(['name 4', 'name 5'])
    const table = readParquet(new Uint8Array(file), { rowGroups: [299] })
    expect(table.recordBatches().map(({ numRows }) => numRows)).toEqual([10])
    expect(
      polars
        .readParquet(await written)
        .getColumn('id')
        .sum(),
    ).toBe(4_498_500)
  })
})

it('row groups may begin far behind 2^32', async () => {
  const far = 2 ** 33 + 12_345
  const encoded = encodeRows(0, 5000)
  const footer = parseFooter(encoded)
  const pages = encoded.subarray(4, findPagesEnd(footer.rowGroups, footer.start))
  const groups = footer.rowGroups.map((group) => moveRowGroup(group, encoded, far - 4, 40_000))
  const { indexes, rowGroups } = placeIndexes(groups, far + pages.length)
  const end = Buffer.concat([pages, indexes, formatFooter(footer, 5000, rowGroups, [])])
  await withSparseFile(end, far, async (path) => {
    expect(await queryDuckDb(`SELECT count(*)::INT, sum(id)::INT FROM read_parquet('${path}')`)).toEqual([
      [5000, 12_497_500],
    ])
  })
  const [group] = parquetMetadata(toArrayBuffer(end)).row_groups
  expect(group?.ordinal).toBeUndefined()
  expect(group?.file_offset).toBe(BigInt(far))
  const { offset_index_offset } = group?.columns[0] ?? {}
  expect(Number(offset_index_offset)).toBeGreaterThan(far + pages.length)
})

describe('what does not fit is refused', () => {
  const refused = expect.objectContaining({ code: 'OUTPUT_FAILED' })
  const other = createRowGroupEncoder(everyColumn, 'none')({ pieces: [], rows: 0 })

  it('a row group of other columns', async () => {
    await expect(stitch([encodeRows(0, 1), other])).rejects.toEqual(refused)
  })

  it('bytes that are no Parquet file', async () => {
    const whole = encodeRows(0, 1)
    for (const bytes of [new Uint8Array(), whole.subarray(0, -1), Buffer.from('\xff\xff\xff\xffPAR1', 'latin1')]) {
      await expect(stitch([bytes])).rejects.toEqual(refused)
    }
  })

  it('the end of a file without a schema', async () => {
    await expect(stitch([])).rejects.toEqual(refused)
  })

  it('a piece of other columns, and one that is no Arrow', () => {
    const others = createArrowEncoder(columns.toReversed())([[null, 'a', 1]])
    for (const bad of [others, new Uint8Array(100), new Uint8Array(), encodePiece([]).subarray(0, -8)]) {
      expect(() => encode({ pieces: [encodePiece(rowsFrom(0, 1)), bad], rows: 1 })).toThrow(refused)
    }
  })

  it('a row group that lacks rows', () => {
    const pieces = [encodePiece(rowsFrom(0, 10))]
    expect(() => encode({ pieces, rows: 11 })).toThrow('a row group lacks rows, expected 11, got 10')
  })
})

function rowsFrom(start: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => [start + index, `name ${(start + index) % 10}`, ['a', null]])
}

function encodeRows(start: number, count: number): Uint8Array {
  return encode({ pieces: [encodePiece(rowsFrom(start, count))], rows: count })
}

async function stitch(encoded: readonly Uint8Array[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const file = createRowGroupFile({ metadata: {}, write: async (bytes) => void chunks.push(new Uint8Array(bytes)) })
  for (const group of encoded) await file.append(group)
  await file.finish(runId)
  return Buffer.concat(chunks)
}

/** What the encoder writes when it gets all pieces, and cuts row groups itself. */
function encodeInOne(pieces: readonly Uint8Array[], rowGroupRows: number): Uint8Array {
  const streams = pieces.map(parseArrowStream)
  const properties = new WriterPropertiesBuilder()
    .setCreatedBy('catalogue-etl')
    .setCompression(Compression.ZSTD)
    .setDictionaryPageSizeLimit(32 * 1024)
    .setStatisticsEnabled(EnabledStatistics.Page)
    .setMaxRowGroupSize(rowGroupRows)
    .setKeyValueMetadata(new Map([['catalogue-etl.run_id', runId]]))
    .build()
  const stream = joinArrowStreams(
    streams[0]?.schema ?? new Uint8Array(),
    streams.map(({ batches }) => batches),
  )
  return encodeWhole(Table.fromIPCStream(stream), properties)
}

/** A file of which only the beginning and `end`, from `start` on, take room on the disk. */
async function withSparseFile(end: Uint8Array, start: number, use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sparse-'))
  try {
    const path = join(folder, 'far.parquet')
    const file = await open(path, 'w')
    await file.write(Buffer.from('PAR1'), 0, 4, 0)
    await file.write(end, 0, end.length, start)
    await file.close()
    await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
