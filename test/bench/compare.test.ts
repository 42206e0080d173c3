import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareBytes, compareFiles } from '../../bench/compare-files.ts'
import { compareCsv, compareNested, compareParquet } from '../../bench/compare-outputs.ts'
import { toLiteral } from '../../bench/sides/sql-text.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'compare-'))
})
afterAll(() => rm(dir, { recursive: true }))

async function writeParquetFile(name: string, select: string): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  try {
    const connection = await instance.connect()
    await connection.run(`COPY (${select}) TO ${toLiteral(join(dir, name))} (FORMAT parquet)`)
    return join(dir, name)
  } finally {
    instance.closeSync()
  }
}

async function writeText(name: string, text: string): Promise<string> {
  await writeFile(join(dir, name), text)
  return join(dir, name)
}

const rows = (values: string) => `SELECT * FROM (VALUES ${values}) AS rows(id, price)`

describe('two Parquet files', () => {
  it('two Parquet files agree in whatever order their rows are', async () => {
    const one = await writeParquetFile('one.parquet', rows(`('a', 1), ('b', NULL)`))
    const other = await writeParquetFile('other.parquet', rows(`('b', NULL), ('a', 1)`))
    expect(await compareParquet(one, other)).toBe('2 rows and 2 columns agree')
  })

  it.each([
    ['a value differs', `('a', 1), ('b', 2)`, 'price'],
    ['values change places', `('a', NULL), ('b', 1)`, 'price'],
    ['a row is missing', `('a', 1)`, 'the number of rows'],
    ['a row is there twice', `('a', 1), ('b', NULL), ('b', NULL)`, 'the number of rows'],
    ['a type differs', `('a', 1.5), ('b', NULL)`, 'columns: expected'],
  ])('two Parquet files do not agree where %s', async (_, values, where) => {
    const one = await writeParquetFile('left.parquet', rows(`('a', 1), ('b', NULL)`))
    const other = await writeParquetFile('right.parquet', rows(values))
    await expect(compareParquet(one, other)).rejects.toThrow(where)
  })
})

describe('two CSV files', () => {
  const select = "SELECT '' AS id, '' AS name, true AS sold"

  it('two CSV files agree where values do, however they are written', async () => {
    const one = await writeText('one.csv', 'id,name,sold\nA1,"",true\nA2,,\n')
    const other = await writeText('other.csv', '"id","name","sold"\r\n"A2",,\r\n"A1","",1\r\n')
    expect(await compareCsv(one, other, select)).toBe('2 rows and 3 columns agree')
  })

  it('two CSV files do not agree where one has null and the other empty text', async () => {
    const one = await writeText('one.csv', 'id,name,sold\nA1,"",true\n')
    const other = await writeText('other.csv', 'id,name,sold\nA1,,true\n')
    await expect(compareCsv(one, other, select)).rejects.toThrow('others in name')
  })
})

it('child tables agree with nested lists where they have as many rows', async () => {
  const nested = await writeParquetFile(
    'nested.parquet',
    "SELECT 'a' AS id, [{'id': 1}, {'id': 2}] AS dietaryRestrictions",
  )
  await writeParquetFile('products.parquet', "SELECT 'a' AS id")
  await writeParquetFile('product_dietary_restrictions.parquet', 'SELECT unnest([1, 2]) AS id')
  expect(await compareNested(dir, nested)).toBe('1 records and the rows of 1 child tables agree')
  await writeParquetFile('product_dietary_restrictions.parquet', 'SELECT 1 AS id')
  await expect(compareNested(dir, nested)).rejects.toThrow('product_dietary_restrictions')
})

const file = (name: string, sha256: string, count = 1) => ({ name, sha256, rows: count })

describe('files of two runs', () => {
  it('files of two runs agree byte for byte, or in their rows where that is all that is asked', () => {
    const ours = [file('a.csv', '1'), file('a.parquet', '2'), file('b.csv', '3')]
    expect(compareFiles(ours, ours)).toBe('3 files agree byte for byte')
    expect(compareFiles(ours, [file('a.csv', '1'), file('a.parquet', 'other')], (name) => name.endsWith('.csv'))).toBe(
      '1 files agree byte for byte, 1 files agree in their numbers of rows',
    )
  })

  it('files of two runs do not agree where a hash or a number of rows differs, or a file is missing', () => {
    expect(() => compareFiles([file('a.csv', '1')], [file('a.csv', '2')])).toThrow('others in a.csv')
    expect(() => compareFiles([file('a.csv', '1')], [file('a.csv', '1', 2)], () => false)).toThrow('others in a.csv')
    expect(() => compareFiles([], [file('a.csv', '1')])).toThrow('others in a.csv')
  })

  it('files of two runs are compared byte for byte on disk', async () => {
    const [one, same, other] = [
      await writeText('1', 'bytes'),
      await writeText('2', 'bytes'),
      await writeText('3', 'byteS'),
    ]
    expect(await compareBytes(one, same)).toBe('5 bytes agree')
    await expect(compareBytes(one, other)).rejects.toThrow('expected the bytes of')
  })
})
