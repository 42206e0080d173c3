import { parquetMetadata } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../../src/records/flatten/column.ts'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { createParquetWriter } from '../../../src/formats/parquet/parquet-writer.ts'
import { cases } from '../../depth.ts'
import { column, everyColumn, everyRow } from '../every-type.ts'
import { queryDuckDb } from '../query-duckdb.ts'
import { withScratchFile } from '../../storage/scratch-file.ts'
import { defaultOptions, runId, toArrayBuffer, toPieces, writeParquet } from './write-parquet.ts'

const columns = [column('id', 'integer'), column('name', 'text'), column('tags', 'text', true)]

describe('the schema of a Parquet file', () => {
  it('the schema of a Parquet file has the logical types of Parquet', async () => {
    const { schema } = parquetMetadata(toArrayBuffer(await writeParquet(everyColumn, [])))
    const types = Object.fromEntries(schema.map(({ name, type, logical_type }) => [name, [type, logical_type]]))
    expect(types).toMatchObject({
      text: ['BYTE_ARRAY', { type: 'STRING' }],
      integer: ['INT64', undefined],
      float: ['DOUBLE', undefined],
      boolean: ['BOOLEAN', undefined],
      timestamp: ['INT64', { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' }],
      date: ['INT32', { type: 'DATE' }],
      money: ['INT32', { type: 'DECIMAL', precision: 9, scale: 2 }],
      price: ['INT64', { type: 'DECIMAL', precision: 18, scale: 4 }],
      exact: ['FIXED_LEN_BYTE_ARRAY', { type: 'DECIMAL', precision: 38, scale: 10 }],
      json: ['BYTE_ARRAY', { type: 'STRING' }],
      text_list: [undefined, { type: 'LIST' }],
    })
  })

  it('the schema of a Parquet file has every column nullable, and lists of three levels', async () => {
    const { schema } = parquetMetadata(toArrayBuffer(await writeParquet(columns, [])))
    expect(schema.slice(1).map(({ name, repetition_type }) => `${name} ${repetition_type}`)).toEqual([
      'id OPTIONAL',
      'name OPTIONAL',
      'tags OPTIONAL',
      'list REPEATED',
      'element OPTIONAL',
    ])
  })
})

describe('the footer of a Parquet file', () => {
  it.each([0, 1, 12, 13, 14, 40])(
    'the footer of a Parquet file holds %i pairs of metadata in their order, then the run id',
    async (count) => {
      const metadata = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`key ${index}`, 'é'.repeat(index * 20)]),
      )
      const bytes = await writeParquet(columns, [rowsFrom(0, 10)], { metadata })
      const pairs = parquetMetadata(toArrayBuffer(bytes)).key_value_metadata ?? []
      expect(pairs.map(({ key, value }) => [key, value])).toEqual([
        ...Object.entries(metadata),
        ['catalogue-etl.run_id', runId],
      ])
      expect(await countRows(bytes)).toBe(10)
    },
  )

  it('the footer of a Parquet file names its writer', async () => {
    const { created_by } = parquetMetadata(toArrayBuffer(await writeParquet(columns, [])))
    expect(created_by).toBe('catalogue-etl')
  })

  it('the footer of a Parquet file has statistics and dictionaries', async () => {
    const bytes = await writeParquet(columns, [rowsFrom(0, 1000)])
    const group = parquetMetadata(toArrayBuffer(bytes)).row_groups[0]
    expect(group?.columns[0]?.meta_data?.statistics).toMatchObject({ min_value: 0n, max_value: 999n, null_count: 0n })
    expect(group?.columns[0]?.column_index_length).toBeGreaterThan(0)
    expect(group?.columns[1]?.meta_data?.encodings).toContain('RLE_DICTIONARY')
  })

  it('the footer of a Parquet file is not confused by rows that look like it', async () => {
    const hostile = ['PAR1', 'catalogue-etl', 'metadata', runId, '\u0018\rcatalogue-etl\u0018\bmetadata\u0000']
    const bytes = await writeParquet(columns, [hostile.map((name, id) => [id, name, hostile])], { compression: 'none' })
    const rows = await withScratchFile(bytes, (path) => queryDuckDb(`SELECT name FROM read_parquet('${path}')`))
    expect(rows).toEqual(hostile.map((name) => [name]))
  })
})

describe('row groups of a Parquet file', () => {
  it.each([
    [1000, 300, [1000, 1000, 400]],
    [1000, 2400, [1000, 1000, 400]],
    [1000, 1000, [1000, 1000, 400]],
    [5000, 7, [2400]],
  ])(
    'row groups of a Parquet file have at most %i rows, from pieces of %i',
    async (rowGroupRows, pieceRows, expected) => {
      const bytes = await writeParquet(columns, toPieces(rowsFrom(0, 2400), pieceRows), { rowGroupRows })
      const { row_groups } = parquetMetadata(toArrayBuffer(bytes))
      expect(row_groups.map(({ num_rows }) => Number(num_rows))).toEqual(expected)
      const ids = await withScratchFile(bytes, (path) => queryDuckDb(`SELECT id::INT FROM read_parquet('${path}')`))
      expect(ids.flat()).toEqual(Array.from({ length: 2400 }, (_, index) => index))
    },
  )

  it('row groups of a Parquet file end early when their text is long, so that memory is bounded', async () => {
    const noise = Array.from({ length: 30_000 }, (_, index) => Math.sin(index).toString(36)).join('')
    const rows = Array.from({ length: 100 }, (_, index): Row => [index, noise.slice(index) + index, null])
    const pieces = Array<Row[]>(cases(3, 2)).fill(rows)
    const bytes = await writeParquet(columns, pieces, { compression: 'none' })
    const { row_groups, num_rows } = parquetMetadata(toArrayBuffer(bytes))
    expect(num_rows).toBe(BigInt(100 * pieces.length))
    expect(row_groups.length).toBeGreaterThan(1)
    for (const { total_byte_size } of row_groups) expect(Number(total_byte_size)).toBeLessThan(50_000_000)
  })
})

describe('a Parquet file without rows', () => {
  it.each([
    ['no piece', []],
    ['an empty piece', [[]]],
  ])('a Parquet file without rows from %s has its schema', async (_, pieces: Row[][]) => {
    const bytes = await writeParquet(everyColumn, pieces)
    const metadata = parquetMetadata(toArrayBuffer(bytes))
    expect([metadata.num_rows, metadata.row_groups.length]).toEqual([0n, 0])
    expect(await countRows(bytes)).toBe(0)
    expect(metadata.schema.filter(({ name }) => everyColumn.some((promised) => promised.name === name))).toHaveLength(
      everyColumn.length,
    )
  })

  it('a Parquet file keeps the rows before and after empty pieces', async () => {
    expect(await countRows(await writeParquet(columns, [[], rowsFrom(0, 5), [], rowsFrom(5, 5), []]))).toBe(10)
  })
})

it('a Parquet file has the same bytes for the same pieces', async () => {
  const metadata = { a: '1', b: '2', c: '3', d: '4', e: '5' }
  const write = () => writeParquet(everyColumn, [everyRow, everyRow], { metadata, rowGroupRows: 4 })
  const first = await write()
  for (let repeat = 0; repeat < 5; repeat++) expect((await write()).equals(first)).toBe(true)
})

it('a Parquet file differs by nothing but the run id between runs', async () => {
  const other = 'f'.repeat(32)
  const files = await Promise.all([runId, other].map((id) => finishWith(id)))
  expect(files[0]).toBe(files[1]?.replace(other, runId))
  expect(files[0]?.split(runId)).toHaveLength(2)
})

it('25 Parquet files are written at once', async () => {
  const files = await Promise.all(
    Array.from({ length: 25 }, (_, file) =>
      writeParquet(columns, toPieces(rowsFrom(0, 1000 + file), 90), { rowGroupRows: 400 }),
    ),
  )
  const counts = files.map((bytes) => Number(parquetMetadata(toArrayBuffer(bytes)).num_rows))
  expect(counts).toEqual(files.map((_, file) => 1000 + file))
  expect(await countRows(files[24] ?? new Uint8Array())).toBe(1024)
})

async function finishWith(id: string): Promise<string> {
  const chunks: Uint8Array[] = []
  const write = async (bytes: Uint8Array) => void chunks.push(bytes)
  const writer = createParquetWriter({ ...defaultOptions(columns), write })
  await writer.write(createRecordBatchEncoder(columns)(rowsFrom(0, 100)))
  await writer.finish(id)
  return Buffer.concat(chunks).toString('latin1')
}

function rowsFrom(start: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => [start + index, `name ${(start + index) % 10}`, ['a', null]])
}

async function countRows(bytes: Uint8Array): Promise<number> {
  const rows = await withScratchFile(bytes, (path) => queryDuckDb(`SELECT count(*)::INT FROM read_parquet('${path}')`))
  return Number(rows[0]?.[0])
}
