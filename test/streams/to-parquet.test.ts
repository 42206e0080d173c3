import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  columnsOf,
  contracts,
  toParquet,
  type Column,
  type RowValue,
  type TableRow,
  type ToParquetOptions,
} from '../../src/streams.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { queryDuckDb } from '../formats/query-duckdb.ts'
import { collect, toChunks } from './collect.ts'
import { toTableStages } from './table-stages.ts'

let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'to-parquet-'))
  file = join(folder, 'table.parquet')
})

afterAll(() => rm(folder, { recursive: true }))

describe('toParquet', () => {
  test('toParquet writes the rows of a table as DuckDB reads them', async () => {
    const options = {
      contract: contracts['v4/product'],
      table: 'product_photos',
      columns: ['id', 'photoType', 'locales', 'meta.updatedAt'],
    }
    const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: 40, seed: 2 })])
    const stages = toTableStages('v4/product', options)
    const columns = columnsOf(options)
    await pipeline([toChunks(lines), ...stages, toParquet({ columns }), createWriteStream(file)])
    const rows = await collect<TableRow>(toChunks(lines), ...toTableStages('v4/product', options))
    expect(rows.length).toBeGreaterThan(40)
    const texts = await queryDuckDb(`
      SELECT product_id, position, id, photo_type, to_json(locales), epoch_ms(meta_updated_at) FROM '${file}'`)
    expect(texts.map((cells) => cells.map((cell) => cell?.toString() ?? null))).toEqual(
      rows.map((row) => Object.values(row).map(toText)),
    )
  })

  test('toParquet writes every type that a column can have', async () => {
    await write([
      {
        text: 'é',
        integer: 9007199254740993n,
        float: 0.5,
        yes: true,
        at: new Date(1),
        day: '2026-01-02',
        price: '8.20',
        json: { a: 1 },
        list: ['1', null],
      },
      { text: '', integer: null, day: new Date(0), price: 12, list: [] },
    ])
    expect(await queryDuckDb(`SELECT COLUMNS(*)::TEXT FROM '${file}'`)).toEqual([
      [
        'é',
        '9007199254740993',
        '0.5',
        'true',
        '1970-01-01 00:00:00.001+00',
        '2026-01-02',
        '8.20',
        '{"a":1}',
        '[1, NULL]',
      ],
      ['', null, null, null, null, '1970-01-01', '12.00', null, '[]'],
    ])
  })

  test('toParquet writes the schema without a row', async () => {
    await write([])
    expect(await queryDuckDb(`SELECT count(*) FROM '${file}'`)).toEqual([['0']])
    expect(await queryDuckDb(`SELECT column_name FROM (DESCRIBE FROM '${file}')`)).toEqual(
      everyType.map(({ name }) => [name]),
    )
  })

  test('toParquet holds row groups to their size and keeps metadata', async () => {
    const rows = Array.from({ length: 5000 }, (_, integer) => ({ integer }))
    await write(rows, { rowGroupRows: 2000, compression: 'snappy', metadata: { origin: 'a test' } })
    expect(await queryDuckDb(`SELECT sum(integer) FROM '${file}'`)).toEqual([['12497500']])
    const groups = `SELECT DISTINCT row_group_num_rows, compression FROM parquet_metadata('${file}') ORDER BY 1`
    expect(await queryDuckDb(groups)).toEqual([
      ['1000', 'SNAPPY'],
      ['2000', 'SNAPPY'],
    ])
    const origin = `SELECT decode(value) FROM parquet_kv_metadata('${file}') WHERE decode(key) = 'origin'`
    expect(await queryDuckDb(origin)).toEqual([['a test']])
  })

  test('toParquet fails at a value or a key that does not fit, and at options it does not know', async () => {
    await expect(write([{ integer: 1.5 }])).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: 'parquet, row 1: column "integer": expected a value that becomes integer without loss, got number 1.5',
    })
    await expect(write([{ other: 1 }])).rejects.toThrow('parquet, row 1: expected no keys but the columns')
    expect(() => toParquet({ columns: everyType, rowGroupRows: 0 })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  })
})

const everyType: readonly Column[] = [
  { name: 'text', type: { kind: 'text' }, list: false },
  { name: 'integer', type: { kind: 'integer' }, list: false },
  { name: 'float', type: { kind: 'float' }, list: false },
  { name: 'yes', type: { kind: 'boolean' }, list: false },
  { name: 'at', type: { kind: 'timestamp' }, list: false },
  { name: 'day', type: { kind: 'date' }, list: false },
  { name: 'price', type: { kind: 'decimal', precision: 12, scale: 2 }, list: false },
  { name: 'json', type: { kind: 'json' }, list: false },
  { name: 'list', type: { kind: 'integer' }, list: true },
]

async function write(rows: readonly object[], options: Partial<ToParquetOptions> = {}): Promise<void> {
  await pipeline(Readable.from(rows), toParquet({ columns: everyType, ...options }), createWriteStream(file))
}

function toText(value: RowValue): string | null {
  if (value instanceof Date) return String(value.getTime())
  if (Array.isArray(value)) return JSON.stringify(value)
  return value === null ? null : String(value)
}
