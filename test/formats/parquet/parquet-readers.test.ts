import { readFileSync } from 'node:fs'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import polars from 'nodejs-polars'
import { describe, expect, it } from 'vitest'
import type { ParquetWriterOptions } from '../../../src/formats/parquet/parquet-writer.ts'
import { everyColumn, everyRow } from '../every-type.ts'
import { queryDuckDb } from '../query-duckdb.ts'
import { withScratchFile } from '../../storage/scratch-file.ts'
import { toArrayBuffer, writeParquet } from './write-parquet.ts'

const codecs = ['zstd', 'snappy', 'gzip', 'none'] as const
const nines = (count: number) => '9'.repeat(count)

describe.each<ParquetWriterOptions['compression']>(codecs)('a file compressed with %s', (compression) => {
  const write = () => writeParquet(everyColumn, [everyRow.slice(0, 2), everyRow.slice(2)], { compression })

  it('a compressed Parquet file is read back by DuckDB', async () => {
    const rows = await withScratchFile(await write(), (path) => queryDuckDb(`SELECT * FROM read_parquet('${path}')`))
    expect(toColumns(rows)).toEqual(
      expectedColumns({
        text: ['', 'crème "brûlée", 50 ml\r\n', `${'x'.repeat(30)}😀`],
        integer: ['-9223372036854775808', '9223372036854775807', '-9007199254740991'],
        float: [0.1, -1.7976931348623157e308, 5e-324],
        boolean: [true, false, true],
        timestamp: ['0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999+00', '2026-01-02 03:04:05.006+00'],
        date: ['0001-01-01', '9999-12-31', '2026-01-02'],
        money: ['8.20', '-0.05', '-9999999.99'],
        price: ['0.0001', `-${nines(14)}.9999`, '700000.0000'],
        exact: [`${nines(28)}.${nines(10)}`, `-${nines(28)}.${nines(10)}`, '-0.0000000001'],
        json: ['{"a":[1,null]}', '"=1"', '[]'],
      }),
    )
  })

  it('a compressed Parquet file is read back by hyparquet', async () => {
    const rows = await parquetReadObjects({ file: toArrayBuffer(await write()), compressors })
    expect(toColumns(rows.map((row) => Object.values(row)))).toEqual(
      expectedColumns({
        text: ['', 'crème "brûlée", 50 ml\r\n', `${'x'.repeat(30)}😀`],
        integer: [-(2n ** 63n), 2n ** 63n - 1n, -9007199254740991n],
        float: [0.1, -1.7976931348623157e308, 5e-324],
        boolean: [true, false, true],
        timestamp: ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-02T03:04:05.006Z'].map(toDate),
        date: ['0001-01-01', '9999-12-31', '2026-01-02'].map(toDate),
        money: [8.2, -0.05, -9999999.99].map(closeTo),
        price: [0.0001, -1e14, 700_000].map(closeTo),
        exact: [1e28, -1e28, -1e-10].map((value) => closeTo(value)),
        json: ['{"a":[1,null]}', '"=1"', '[]'],
      }),
    )
  })

  it('a compressed Parquet file is read back by polars', async () => {
    const rows = await withScratchFile(await write(), readWithPolars)
    expect(toColumns(rows)).toEqual(
      expectedColumns({
        text: ['', 'crème "brûlée", 50 ml\r\n', `${'x'.repeat(30)}😀`],
        integer: ['-9223372036854775808', '9223372036854775807', '-9007199254740991'],
        float: [0.1, -1.7976931348623157e308, 5e-324],
        boolean: [true, false, true],
        timestamp: ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-02T03:04:05.006Z'].map(toDate),
        date: ['0001-01-01', '9999-12-31', '2026-01-02'].map(toDate),
        money: ['8.20', '-0.05', '-9999999.99'],
        price: ['0.0001', `-${nines(14)}.9999`, '700000.0000'],
        exact: [`${nines(28)}.${nines(10)}`, `-${nines(28)}.${nines(10)}`, '-0.0000000001'],
        json: ['{"a":[1,null]}', '"=1"', '[]'],
      }),
    )
  })

  it('a compressed Parquet file has its codec in every column', async () => {
    const used = await withScratchFile(await write(), (path) =>
      queryDuckDb(`SELECT DISTINCT compression FROM parquet_metadata('${path}')`),
    )
    expect(used).toEqual([[compression === 'none' ? 'UNCOMPRESSED' : compression.toUpperCase()]])
  })
})

it('a Parquet file has the types that the columns promise', async () => {
  const described = await withScratchFile(await writeParquet(everyColumn, []), (path) =>
    queryDuckDb(`DESCRIBE SELECT * FROM read_parquet('${path}')`),
  )
  expect(described.map(([name, type]) => `${String(name)} ${String(type)}`)).toEqual(
    Object.entries({
      text: 'VARCHAR',
      integer: 'BIGINT',
      float: 'DOUBLE',
      boolean: 'BOOLEAN',
      timestamp: 'TIMESTAMP WITH TIME ZONE',
      date: 'DATE',
      money: 'DECIMAL(9,2)',
      price: 'DECIMAL(18,4)',
      exact: 'DECIMAL(38,10)',
      json: 'VARCHAR',
    }).flatMap(([name, type]) => [`${name} ${type}`, `${name}_list ${type}[]`]),
  )
})

type Values = Record<string, readonly [unknown, unknown, unknown] | readonly unknown[]>

/** Gives what the three values of each type make of the rows of `everyRow`. */
function expectedColumns(values: Values): unknown[][] {
  return Object.values(values).flatMap((all) => [
    [...all, null, null, null],
    [all.slice(0, 1), all.slice(0, 2), all, [null, all[0]], [], null],
  ])
}

function toColumns(rows: readonly (readonly unknown[])[]): unknown[][] {
  return everyColumn.map((_, index) => rows.map((row) => row[index] ?? null))
}

function toDate(text: string): Date {
  return new Date(text)
}

/** This reader makes floats of decimals. */
function closeTo(value: number): unknown {
  return expect.closeTo(value, Math.abs(value) < 1 ? 12 : Math.abs(value) > 1e9 ? -14 : 6)
}

/** Decimals and 64-bit integers as text: polars makes floats of them in JavaScript, or nothing. */
function readWithPolars(path: string): unknown[][] {
  const frame = polars.readParquet(readFileSync(path))
  const exact = everyColumn.filter(({ type }) => type.kind === 'decimal' || type.kind === 'integer')
  const texts = exact.map(({ name, list }) => polars.col(name).cast(list ? polars.List(polars.Utf8) : polars.Utf8))
  return frame
    .withColumns(...texts)
    .toRecords()
    .map((row) => everyColumn.map(({ name }) => row[name]))
}
