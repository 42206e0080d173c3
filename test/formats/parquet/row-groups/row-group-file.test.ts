import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { parquetMetadata, parquetQuery } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import polars from 'nodejs-polars'
import { readParquet } from 'parquet-wasm/node'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../../src/records/flatten/column.ts'
import { formatFileEnd, createRowGroupFile } from '../../../../src/formats/parquet/row-group-file.ts'
import { formatRowGroupMetadata } from '../../../../src/formats/parquet/row-group-metadata.ts'
import { createRecordBatchEncoder } from '../../../../src/formats/parquet/record-batch-encoder.ts'
import { createRowGroupEncoder, type EncodedRowGroup } from '../../../../src/formats/parquet/row-group-encoder.ts'
import { column, everyColumn, everyRow } from '../../every-type.ts'
import { queryDuckDb } from '../../query-duckdb.ts'
import { withScratchFile } from '../../../storage/scratch-file.ts'
import { readChunks } from '../read-chunks.ts'
import { toRowGroup } from './row-group.ts'
import { runId, toArrayBuffer } from '../write-parquet.ts'

const columns = [column('id', 'integer'), column('name', 'text'), column('tags', 'text', true)]
const compression = 'zstd'
const toBatch = createRecordBatchEncoder(columns)
const encode = await createRowGroupEncoder(columns, compression)

describe('a file of 300 row groups', () => {
  const written = Promise.all(Array.from({ length: 300 }, (_, index) => encodeRows(index * 10, 10))).then(stitch)

  it('a file of 300 row groups has them in order, each with its number, statistics and indexes', async () => {
    const { row_groups, num_rows } = parquetMetadata(toArrayBuffer(await written))
    expect(num_rows).toBe(3000n)
    expect(row_groups.map(({ ordinal }) => ordinal)).toEqual(row_groups.map((_, index) => index))
    const ids = row_groups.map((group) => group.columns[0]?.meta_data?.statistics)
    expect(ids.map((statistics) => statistics?.min_value)).toEqual(row_groups.map((_, index) => BigInt(index * 10)))
    for (const { offset_index_length, column_index_length } of row_groups.flatMap((group) => group.columns)) {
      expect([Number(offset_index_length) > 0, Number(column_index_length) > 0]).toEqual([true, true])
    }
  })

  it('a file of 300 row groups has no gap before, between or after them', async () => {
    const { row_groups } = parquetMetadata(toArrayBuffer(await written))
    let start = 4n
    for (const { file_offset, total_compressed_size, total_byte_size, columns: chunks } of row_groups) {
      expect(file_offset).toBe(start)
      const sizes = chunks.map(({ meta_data }) => meta_data)
      expect(total_compressed_size).toBe(sizes.reduce((sum, of) => sum + (of?.total_compressed_size ?? 0n), 0n))
      expect(total_byte_size).toBe(sizes.reduce((sum, of) => sum + (of?.total_uncompressed_size ?? 0n), 0n))
      start += total_compressed_size ?? 0n
    }
  })

  it('a file of 300 row groups is read by DuckDB, which leaves out row groups by their statistics', async () => {
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

  it('a file of 300 row groups is read by way of the indexes of its pages', async () => {
    const file = toArrayBuffer(await written)
    const filter = { id: { $gte: 1234, $lt: 1236 } }
    const found = await parquetQuery({ file, compressors, filter, usePageIndex: true })
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

it('the same row groups give the same file, encoded in any order and by any encoder', async () => {
  const starts = [0, 1000, 2000, 3000, 4000, 5000]
  const forwards = await Promise.all(starts.map((start) => encodeRows(start, 1000)))
  const backwards: EncodedRowGroup[] = []
  for (const start of starts.toReversed()) {
    const encodeNew = await createRowGroupEncoder(columns, compression)
    backwards.push(await encodeNew(toGroup(start, 1000)))
  }
  expect((await stitch(forwards)).equals(await stitch(backwards.toReversed()))).toBe(true)
})

it('a Parquet file may have row groups that begin far beyond 2^32', async () => {
  const far = 2 ** 33 + 12_345
  const encoded = await encodeRows(0, 5000)
  const { bytes } = encoded
  const group = formatRowGroupMetadata(columns, compression, encoded, far)
  const behind = formatFileEnd({ columns, metadata: [] }, [group], far + bytes.length)
  const end = Buffer.concat([bytes, behind])
  await withSparseFile(end, far, async (path) => {
    const from = `FROM read_parquet('${path}')`
    expect(await queryDuckDb(`SELECT count(*)::INT, sum(id)::INT ${from}`)).toEqual([[5000, 12_497_500]])
    expect(await queryDuckDb(`SELECT name ${from} WHERE id = 4321`)).toEqual([['name 1']])
  })
  const [read] = parquetMetadata(toArrayBuffer(end)).row_groups
  expect(read?.file_offset).toBe(BigInt(far))
  const { offset_index_offset = 0n, column_index_offset = 0n, meta_data } = read?.columns[0] ?? {}
  expect(Math.min(Number(offset_index_offset), Number(column_index_offset))).toBeGreaterThanOrEqual(far + bytes.length)
  expect(Number(meta_data?.data_page_offset)).toBeGreaterThanOrEqual(far)
})

it('a row group beyond the 32,768 that have numbers has none', async () => {
  const { bytes, columns: chunks } = await encodeRows(0, 1)
  const group = formatRowGroupMetadata(columns, compression, { rows: 1, bytes, columns: chunks.slice(0, 1) }, 4)
  const groups = Array.from({ length: 32_770 }, () => group)
  const end = formatFileEnd({ columns: columns.slice(0, 1), metadata: [] }, groups, 4 + bytes.length)
  const { row_groups, num_rows } = parquetMetadata(toArrayBuffer(end))
  expect(num_rows).toBe(32_770n)
  expect(row_groups.slice(32_766).map(({ ordinal }) => ordinal)).toEqual([32_766, 32_767, undefined, undefined])
})

describe('a Parquet file', () => {
  it('a Parquet file of no row group has a beginning and an end', async () => {
    const bytes = await stitch([])
    expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', bytes.length - 4)]).toEqual(['PAR1', 'PAR1'])
    expect(readChunks(bytes)).toEqual([])
    expect(tableFromIPC(readParquet(new Uint8Array(bytes)).intoIPCStream()).schema.names).toEqual([
      'id',
      'name',
      'tags',
    ])
  })

  it('a Parquet file counts the rows of its row groups', async () => {
    const file = createRowGroupFile({ columns, compression, metadata: {}, write: async () => undefined })
    for (const rows of [1, 20, 300]) await file.append(await encodeRows(0, rows))
    expect(await file.finish(runId)).toEqual({ rows: 321 })
  })

  it('a Parquet file refuses a row group of other columns', async () => {
    const encodeEvery = await createRowGroupEncoder(everyColumn, compression)
    const bytes = createRecordBatchEncoder(everyColumn)(everyRow)
    const { length } = everyRow
    const other = await encodeEvery(toRowGroup([{ bytes, from: 0, to: length }], length))
    await expect(stitch([await encodeRows(0, 1), other])).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
  })
})

function rowsFrom(start: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => [start + index, `name ${(start + index) % 10}`, ['a', null]])
}

function toGroup(start: number, rows: number) {
  return toRowGroup([{ bytes: toBatch(rowsFrom(start, rows)), from: 0, to: rows }], rows)
}

async function encodeRows(start: number, rows: number): Promise<EncodedRowGroup> {
  return encode(toGroup(start, rows))
}

async function stitch(encoded: readonly EncodedRowGroup[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const write = async (bytes: Uint8Array) => void chunks.push(new Uint8Array(bytes))
  const file = createRowGroupFile({ columns, compression, metadata: {}, write })
  for (const group of encoded) await file.append(group)
  await file.finish(runId)
  return Buffer.concat(chunks)
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
