import { expect, test } from 'vitest'
import { FileStatistics } from '../../src/lake/file-statistics.ts'
import { formatStatistics } from '../../src/lake/delta/format-statistics.ts'
import { toLakeColumn } from '../../src/lake/lake-plan.ts'
import type { Column, Row } from '../../src/records/flatten/column.ts'
import { column, everyColumn, everyRow } from '../formats/every-type.ts'
import { writeParquet } from '../formats/parquet/write-parquet.ts'

test('the statistics of a data file have the rows, nulls and exact bounds of every type that has an order', async () => {
  const rows = everyRow.map((row) => row.map((cell, at) => (isTime(everyColumn[at]) ? toMicro(cell) : cell)))
  expect(JSON.parse(await measure(everyColumn.map(toLakeColumn), [rows.slice(0, 2), rows.slice(2)]))).toEqual({
    numRecords: 6,
    minValues: {
      text: '',
      integer: -(2 ** 63),
      float: -1.7976931348623157e308,
      timestamp: '0001-01-01T00:00:00.000Z',
      date: '0001-01-01',
      money: -9999999.99,
    },
    maxValues: {
      text: `${'x'.repeat(30)}😀`,
      integer: 2 ** 63,
      float: 0.1,
      timestamp: '9999-12-31T23:59:59.999Z',
      date: '9999-12-31',
      money: 8.2,
      price: 700_000,
    },
    nullCount: {
      text: 3,
      integer: 3,
      float: 3,
      boolean: 3,
      timestamp: 3,
      date: 3,
      money: 3,
      price: 3,
      exact: 3,
      json: 3,
    },
  })
})

test('whole numbers beyond 2^53 are exact in statistics, and decimals beyond it are left out', async () => {
  const columns = [column('n', 'integer'), column('d', { kind: 'decimal', precision: 38, scale: 2 })]
  const text = await measure(columns, [[[2n ** 63n - 1n, 2n ** 53n]]])
  expect(text).toBe(
    '{"numRecords":1,"minValues":{"n":9223372036854775807},"maxValues":{"n":9223372036854775807},"nullCount":{"n":0,"d":0}}',
  )
  expect(await measure(columns, [[[-1, 2 ** 53 - 1]]])).toContain('"minValues":{"n":-1,"d":90071992547409.91}')
})

test('times within a millisecond are rounded away from the values in statistics', async () => {
  const at = toLakeColumn(column('t', 'timestamp'))
  expect(await measure([at], [[[1_000_001], [1_999_999]]])).toContain(
    '"minValues":{"t":"1970-01-01T00:00:01.000Z"},"maxValues":{"t":"1970-01-01T00:00:02.000Z"}',
  )
  expect(await measure([at], [[[-1_999_999], [-1_000_001]]])).toContain(
    '"minValues":{"t":"1969-12-31T23:59:58.000Z"},"maxValues":{"t":"1969-12-31T23:59:59.000Z"}',
  )
})

test('long text has bounds in statistics that no value is beyond, and NaN none', async () => {
  const long = 'é'.repeat(500)
  const { minValues, maxValues } = JSON.parse(
    await measure(
      [column('s', 'text'), column('f', 'float')],
      [
        [
          [long, Number.NaN],
          ['z', 1],
        ],
      ],
    ),
  ) as Bounds
  expect(minValues['s']).toBe('z')
  expect(Buffer.compare(Buffer.from(String(maxValues['s'])), Buffer.from(long))).toBeGreaterThanOrEqual(0)
  expect(minValues).not.toHaveProperty('f')
})

test('of a broad table the first columns have bounds, and those that a mode adds at its end', async () => {
  const columns = Array.from({ length: 50 }, (_, at) => column(`c${at}`, 'integer'))
  const { minValues } = JSON.parse(await measure(columns, [[columns.map((_, at) => at)]])) as Bounds
  expect(Object.keys(minValues)).toHaveLength(35)
  expect(minValues).toMatchObject({ c31: 31, c47: 47, c49: 49 })
})

interface Bounds {
  readonly minValues: Record<string, unknown>
  readonly maxValues: Record<string, unknown>
}

async function measure(columns: readonly Column[], pieces: readonly (readonly Row[])[]): Promise<string> {
  const statistics = new FileStatistics(columns)
  await writeParquet(columns, pieces, { rowGroupRows: 2, onRowGroup: (group) => statistics.add(group) })
  return formatStatistics(statistics)
}

function isTime(of: Column | undefined): boolean {
  return of?.type.kind === 'timestamp'
}

function toMicro(cell: Row[number]): Row[number] {
  if (Array.isArray(cell)) return cell.map((each: unknown) => (each === null ? null : BigInt(each as number) * 1000n))
  return cell === null ? null : BigInt(cell as number) * 1000n
}
