import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Cell, Column, Row } from '../../../src/records/flatten/column.ts'
import { column } from '../every-type.ts'
import { cases, someOf } from '../../depth.ts'
import { anyType, valueOf } from './arbitrary-table.ts'
import { checkChunks } from './check-chunks.ts'
import { openReaders, toReadRows } from './open-readers.ts'
import { type ReadChunk, readChunks } from './read-chunks.ts'
import { toPieces, writeParquet } from './write-parquet.ts'

const readers = await openReaders()
afterAll(() => readers.close())

const [plain, rleDictionary] = [0, 8]
const dates = [column('a', 'date')]
const texts = [column('a', 'text')]

describe('a dictionary', () => {
  it.each(someOf([1, 2, 3, 16, 17, 255, 256, 257, 8191, 8192], 1, 17, 8192))(
    'a dictionary of %i values has indexes of few bits',
    async (count) => {
      const [chunk] = await writeAndCheck(
        dates,
        alternate(22_000, (index) => index % count),
      )
      expect([chunk?.dictionary?.values, chunk?.dictionary?.body.length]).toEqual([count, count * 4])
      const bits = Math.max(1, Math.ceil(Math.log2(count)))
      expect(chunk?.pages.map(readIndexBits)).toEqual([bits, bits])
      expect(chunk?.pages.map(({ encoding }) => encoding)).toEqual([rleDictionary, rleDictionary])
    },
  )

  const largest: [name: string, columns: Column[], most: number, toCell: (index: number) => Cell][] = [
    ['dates', dates, 8192, (index) => index - 4000],
    ['integers', [column('a', 'integer')], 4096, (index) => -index],
    ['timestamps', [column('a', 'timestamp')], 4096, (index) => index * 86_400_000],
    ['floats', [column('a', 'float')], 4096, (index) => index / 8],
    ['short decimals', [column('a', { kind: 'decimal', precision: 9, scale: 2 })], 8192, (index) => index - 8000],
    ['longer decimals', [column('a', { kind: 'decimal', precision: 18, scale: 2 })], 4096, (index) => index],
    ['texts of 4 bytes', texts, 4096, (index) => index.toString(36).padStart(4, '0')],
    ['texts of 28 bytes', texts, 1024, (index) => 'é'.repeat(12) + index.toString(36).padStart(4, '0')],
  ]
  it.each(someOf(largest, largest[0]!, largest[3]!, largest[7]!))(
    'a dictionary of %s is given up beyond 32 KiB',
    async (_, columns, most, toCell) => {
      const isText = typeof toCell(0) === 'string'
      const width = isText ? 4 + Buffer.byteLength(String(toCell(0))) : 32_768 / most
      const kept = Math.floor(32_768 / width)
      for (const [count, hasDictionary] of [
        [kept, true],
        [kept + 1, false],
      ] as const) {
        const rows = Array.from({ length: 16_500 }, (__, index) => [index % 9 === 0 ? null : toCell(index % count)])
        const [chunk] = await writeAndCheck(columns, rows)
        expect(chunk?.dictionary?.values).toBe(hasDictionary ? kept : undefined)
        expect(chunk?.pages.every(({ encoding }) => encoding === (hasDictionary ? rleDictionary : plain))).toBe(true)
      }
    },
  )

  it('a column has no dictionary if it would not be smaller, nor do booleans and large decimals have one', async () => {
    const unique = Array.from({ length: 1000 }, (_, index): Row => [`text ${index}`])
    const [chunk] = await writeAndCheck(texts, unique)
    expect(chunk?.dictionary).toBeNull()
    for (const columns of [[column('a', 'boolean')], [column('a', { kind: 'decimal', precision: 19, scale: 0 })]]) {
      const cell = columns[0]?.type.kind === 'boolean' ? true : 10n ** 18n
      const [never] = await writeAndCheck(
        columns,
        Array.from({ length: 1000 }, () => [cell]),
      )
      expect(never?.dictionary).toBeNull()
    }
  })

  it('a dictionary has zeros of both signs apart', async () => {
    const rows = Array.from({ length: 500 }, (_, index): Row => [index % 3 === 0 ? -0 : 0])
    const [chunk] = await writeAndCheck([column('a', 'float')], rows)
    expect(chunk?.dictionary?.values).toBe(2)
  })

  it('a dictionary has texts apart that are alike', async () => {
    const alike = [
      '',
      '\0',
      '\0\0',
      'a',
      'a\0',
      'aaaaaaa',
      'aaaaaaaa',
      'aaaaaaaa\0',
      'aaaaaaaaa',
      'aaaaaaab',
      '\u{10FFFF}',
    ]
    const [chunk] = await writeAndCheck(
      texts,
      Array.from({ length: 2000 }, (_, index) => [alike[(index * 7) % 11] ?? null]),
    )
    expect(chunk?.dictionary?.values).toBe(alike.length)
  })

  it('a dictionary of a column is one for all pages of a row group', async () => {
    const rows = Array.from({ length: 22_000 }, (_, index): Row => [index % 5, [`tag ${index % 3}`, null]])
    const chunks = await writeAndCheck([column('a', 'date'), column('b', 'text', true)], rows, 21_000)
    expect(chunks.map(({ dictionary }) => dictionary?.values)).toEqual([5, 3, 5, 3])
    expect(chunks.map(({ pages }) => pages.length)).toEqual([2, 2, 1, 1])
  })
})

describe('pages of a column', () => {
  it.each(someOf([1, 7, 8, 9, 20_000, 20_001, 40_001], 1, 9, 20_001))(
    'pages of a column of %i rows have equal parts of them',
    async (count) => {
      const rows = Array.from({ length: count }, (_, index): Row => [index, index % 10 === 0 ? null : [index, null]])
      const chunks = await writeAndCheck([column('a', 'integer'), column('b', 'integer', true)], rows)
      for (const { pages } of chunks) {
        const size = Math.ceil(count / Math.ceil(count / 20_000))
        expect(pages.map(({ firstRow }) => firstRow)).toEqual(pages.map((_, index) => index * size))
        expect(pages).toHaveLength(Math.ceil(count / 20_000))
      }
    },
  )

  it('pages of a column have about 1 MiB, also of few rows', async () => {
    const rows = Array.from({ length: 200 }, (_, index): Row => {
      const list = Array.from({ length: 2500 }, (__, element) => index * 10_000 + element)
      return [noise(index), [noise(index), null, 'a'], list]
    })
    const columns = [column('a', 'text'), column('b', 'text', true), column('c', 'integer', true)]
    const chunks = await writeAndCheck(columns, rows)
    for (const { pages } of chunks) {
      expect(pages.length).toBeGreaterThan(3)
      for (const { uncompressedBytes } of pages) expect(uncompressedBytes).toBeLessThan(1.1 * 1024 * 1024)
    }
  })

  it('pages of a column hold a row that is larger than a page alone', async () => {
    const rows = Array.from({ length: 5 }, (_, index): Row => [index === 3 ? null : String(index).repeat(3_000_000)])
    const [chunk] = await writeAndCheck(texts, rows)
    expect(chunk?.pages.map(({ values }) => values)).toEqual([1, 1, 1, 1, 1])
  })

  it('pages of nothing but nulls have no bounds', async () => {
    const columns = [column('a', 'text'), column('b', 'integer', true), column('c', 'boolean')]
    const rows = Array.from({ length: 30_000 }, (_, index): Row => [null, index % 2 === 0 ? null : [], null])
    const chunks = await writeAndCheck(columns, rows)
    expect(chunks.map(({ bounds, nulls, dictionary }) => [bounds, nulls, dictionary])).toEqual(
      columns.map(() => [null, 30_000, null]),
    )
  })

  it('pages of nulls are between others', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index): Row => [index >= 20_000 && index < 40_000 ? null : index])
    const [chunk] = await writeAndCheck(dates, rows)
    expect(chunk?.pages.map(({ bounds, nulls }) => [bounds === null, nulls])).toEqual([
      [false, 0],
      [true, 20_000],
      [false, 0],
    ])
  })

  it('pages of any type, in several of a chunk, are read back', async () => {
    const cellTypes = anyType().chain((type) =>
      fc.record({
        columns: fc.constant([
          { name: 'a', type, list: false },
          { name: 'b', type, list: true },
        ]),
        pool: fc.array(valueOf(type), { minLength: 1, maxLength: 300 }),
        step: fc.integer({ min: 1, max: 50 }),
        nulls: fc.constantFrom(2, 3, 50, 100_000),
      }),
    )
    await fc.assert(
      fc.asyncProperty(cellTypes, async ({ columns, pool, step, nulls }) => {
        const at = (index: number) =>
          index % nulls === 1 ? null : (pool[Math.floor(index / step) % pool.length] ?? null)
        const rows = Array.from({ length: 21_000 }, (_, index): Row => [at(index), [at(index * 2), at(index * 2 + 1)]])
        await writeAndCheck(columns, rows)
      }),
      { numRuns: cases(4, 1) },
    )
    expect.hasAssertions()
  })
})

/** The chunks of a file of these rows, of which all is true and all readers see all rows. */
async function writeAndCheck(
  columns: readonly Column[],
  rows: readonly Row[],
  rowGroupRows = 100_000,
): Promise<ReadChunk[]> {
  const bytes = await writeParquet(columns, toPieces(rows, 7000), { compression: 'none', rowGroupRows })
  expect(checkChunks(columns, rows, bytes)).toEqual([])
  const read = await readers.read(columns, bytes)
  const expected = toReadRows(columns, rows)
  for (const reader of ['hyparquet', 'duckDb', 'arrow'] as const) {
    // To find out how tens of thousands of rows differ takes minutes.
    const differs = read[reader].findIndex((row, index) => !areEqual(row, expected[reader][index] ?? []))
    expect({ reader, differs, rows: read[reader].length }).toEqual({ reader, differs: -1, rows: rows.length })
  }
  return readChunks(bytes)
}

function areEqual(row: Row, other: Row): boolean {
  return row.every((cell, index) => {
    const same = other[index] ?? null
    if (!Array.isArray(cell) || !Array.isArray(same)) return Object.is(cell, same)
    return cell.length === same.length && cell.every((value, at) => Object.is(value, same[at]))
  })
}

function noise(seed: number): string {
  return Math.sin(seed).toString(36).repeat(1500)
}

/** Long runs, then one by one. */
function alternate(count: number, toCell: (index: number) => Cell): Row[] {
  return Array.from({ length: count }, (_, index) => [
    index < count / 3 ? (index % 13 === 12 ? null : toCell(Math.floor(index / 100))) : toCell(index),
  ])
}

/** The bits of the indexes in a page that is not compressed: they follow the definition levels. */
function readIndexBits({ body }: ReadChunk['pages'][number]): number {
  return body.readUInt8(4 + body.readUInt32LE())
}
