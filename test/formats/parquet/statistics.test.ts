import * as fc from 'fast-check'
import { parquetMetadata, parquetQuery, parquetReadObjects, type ParquetQueryFilter } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, describe, expect, it } from 'vitest'
import type { Row } from '../../../src/records/flatten/column.ts'
import { column } from '../every-type.ts'
import { cases } from '../../depth.ts'
import { anyColumns, rowsOf, valueOf } from './arbitrary-table.ts'
import { checkChunks } from './check-chunks.ts'
import { openReaders } from './open-readers.ts'
import { readChunks } from './read-chunks.ts'
import { toArrayBuffer, toPieces, writeParquet } from './write-parquet.ts'

const readers = await openReaders()
afterAll(() => readers.close())

describe('the statistics of chunks and pages', () => {
  it.each(['zstd', 'none'] as const)(
    'the statistics of chunks and pages of any rows, with %s, are true',
    async (compression) => {
      const tables = anyColumns().chain((columns) =>
        fc.record({
          columns: fc.constant(columns),
          rows: rowsOf(columns, 200),
          rowGroupRows: fc.integer({ min: 1, max: 300 }),
        }),
      )
      await fc.assert(
        fc.asyncProperty(tables, async ({ columns, rows, rowGroupRows }) => {
          const bytes = await writeParquet(columns, toPieces(rows, 70), { compression, rowGroupRows })
          expect(checkChunks(columns, rows, bytes)).toEqual([])
        }),
        { numRuns: cases(100) },
      )
    },
  )

  it('the statistics of texts that begin alike are true', async () => {
    const columns = [column('a', 'text')]
    const part = fc.constantFrom('aaaaaaaa', 'aaaa', 'a', 'b', '\0', 'é', '\u{10ffff}')
    const texts = fc.array(part, { maxLength: 6 }).map((parts) => 'https://' + parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 20 }), async (values) => {
        const rows = values.map((value) => [value])
        expect(checkChunks(columns, rows, await writeParquet(columns, [rows]))).toEqual([])
      }),
      { numRuns: cases(500) },
    )
  })

  it('the statistics of floats that are zeros of either sign are true', async () => {
    const columns = [column('a', 'float')]
    for (const rows of [[[0]], [[-0]], [[0], [-0]], [[-0], [0]], [[0], [1]], [[-1], [-0]]]) {
      expect(checkChunks(columns, rows, await writeParquet(columns, [rows]))).toEqual([])
    }
  })
})

describe('the statistics of NaN, which has no order', () => {
  const columns = [column('a', 'float')]
  const write = (values: readonly (number | null)[]) =>
    writeParquet(columns, [values.map((value) => [value])], { compression: 'none' })

  it.each([[[Number.NaN, null]], [[1, Number.NaN, null, 2]]])(
    'the statistics of NaN have no bounds and no index: %j',
    async (values) => {
      const bytes = await write(values)
      const [group] = parquetMetadata(toArrayBuffer(bytes)).row_groups
      const { meta_data, column_index_length } = group?.columns[0] ?? {}
      expect(meta_data?.statistics).toMatchObject({ min_value: undefined, max_value: undefined, null_count: 1n })
      expect(column_index_length).toBeUndefined()
      const rows = await parquetReadObjects({ file: toArrayBuffer(bytes), compressors })
      expect(rows).toEqual(values.map((a) => ({ a })))
    },
  )
})

describe('the bounds of long text', () => {
  const columns = [column('a', 'text')]

  it('the bounds of long text enclose it, and are of whole characters', async () => {
    await fc.assert(
      fc.asyncProperty(valueOf({ kind: 'text' }), fc.nat(90), async (text, more) => {
        const rows = [[`${String(text)}${'x'.repeat(more)}`]]
        expect(checkChunks(columns, rows, await writeParquet(columns, [rows]))).toEqual([])
      }),
      { numRuns: cases(1000) },
    )
  })

  it.each([
    ['a'.repeat(65), `${'a'.repeat(63)}b`],
    [`${'a'.repeat(63)}é`, `${'a'.repeat(62)}b`],
    [`${'a'.repeat(61)}\uD7FFx`, `${'a'.repeat(61)}\uE000`],
    [`${'a'.repeat(60)}\u{10FFFF}x`, `${'a'.repeat(59)}b`],
    [`\uFEFF${'a'.repeat(80)}`, `\uFEFF${'a'.repeat(60)}b`],
    ['\u{10FFFF}'.repeat(17), '\u{10FFFF}'.repeat(17)],
    ['a'.repeat(64), 'a'.repeat(64)],
  ])('the upper bound of long text: %j is at most %j', async (text, expected) => {
    const [chunk] = readChunks(await writeParquet(columns, [[[text]]]))
    expect(chunk?.bounds?.max.toString()).toBe(expected)
  })
})

/** 45,000 rows in three pages of a row group; `sorted` has but one of them for each number, `text` has long beginnings. */
describe('filters by statistics', () => {
  const columns = [
    column('sorted', 'integer'),
    column('mixed', 'integer'),
    column('text', 'text'),
    column('day', 'date'),
  ]
  const prefix = 'p'.repeat(70)
  const rows = Array.from({ length: 45_000 }, (_, index): Row => {
    const mixed = (index * 7919) % 45_000
    const text = index % 11 === 0 ? null : `${prefix.slice(index % 80)}${String(mixed).padStart(5, '0')}`
    return [index, index % 7 === 0 ? null : mixed, text, Math.floor(index / 100)]
  })
  const written = writeParquet(columns, toPieces(rows, 4000), { rowGroupRows: 42_000 })

  it('filters by statistics find what a full scan finds in files of several pages and row groups', async () => {
    const chunks = readChunks(await written)
    expect(chunks.map(({ pages }) => pages.length)).toEqual([3, 3, 3, 3, 1, 1, 1, 1])
    expect(checkChunks(columns, rows, await written)).toEqual([])
  })

  it('filters by statistics find what a full scan finds, by DuckDB', async () => {
    const bounds = fc.tuple(fc.nat(45_000), fc.nat(2000), fc.constantFrom(...rows.keys()))
    await fc.assert(
      fc.asyncProperty(bounds, async ([from, more, at]) => {
        const to = from + more
        const text = String(rows[at]?.[2] ?? '')
        const counts = await readers.query(
          await written,
          (source) => `SELECT
            (SELECT count(*) ${source} WHERE sorted >= ${from} AND sorted < ${to}),
            (SELECT count(*) ${source} WHERE mixed >= ${from} AND mixed < ${to}),
            (SELECT count(*) ${source} WHERE text = '${text}'),
            (SELECT count(*) ${source} WHERE text > '${text}'),
            (SELECT count(*) ${source} WHERE mixed IS NULL AND sorted < ${to}),
            (SELECT count(*) ${source} WHERE day = DATE '1970-01-01' + ${more})`,
        )
        const count = (test: (row: Row) => boolean) => BigInt(rows.filter(test).length)
        const isWithin = (value: unknown) => value !== null && Number(value) >= from && Number(value) < to
        expect(counts).toEqual([
          [
            count(([sorted]) => isWithin(sorted)),
            count(([, mixed]) => isWithin(mixed)),
            count((row) => row[2] === text),
            count((row) => row[2] !== null && String(row[2]) > text),
            count(([sorted, mixed]) => mixed === null && Number(sorted) < to),
            count((row) => row[3] === more),
          ],
        ])
      }),
      { numRuns: cases(15, 4) },
    )
  })

  it('filters by statistics find what a full scan finds, by hyparquet', async () => {
    const file = toArrayBuffer(await written)
    const filters = fc.record({ at: fc.constantFrom(...rows.keys()), more: fc.nat(50) })
    await fc.assert(
      fc.asyncProperty(filters, async ({ at, more }) => {
        const range = { sorted: { $gte: BigInt(at), $lt: BigInt(at + more) } }
        expect(await findSorted(file, range)).toEqual(
          Array.from({ length: Math.min(more, rows.length - at) }, (_, index) => at + index),
        )
        const text = rows[at]?.[2]
        expect(await findSorted(file, { text: { $eq: text } })).toEqual(
          rows.filter((row) => row[2] === text).map(([sorted]) => sorted),
        )
      }),
      { numRuns: cases(8, 2) },
    )
  })

  it('filters by statistics find what a full scan finds, by hyparquet without the pages that can not have it', async () => {
    const bytes = Buffer.from(await written)
    for (const { pages } of readChunks(bytes).slice(0, 4)) for (const { body } of pages.slice(1)) body.fill(0xff)
    const file = toArrayBuffer(bytes)
    expect(await findSorted(file, { sorted: { $gte: 13_990n, $lt: 14_000n } })).toHaveLength(10)
    await expect(findSorted(file, { sorted: { $gte: 13_990n, $lte: 14_000n } })).rejects.toThrow('zstd')
  })
})

async function findSorted(file: ArrayBuffer, filter: ParquetQueryFilter): Promise<number[]> {
  const found = await parquetQuery({ file, compressors, filter, usePageIndex: true })
  return found.map(({ sorted }) => Number(sorted))
}
