import { parquetMetadata } from 'hyparquet'
import { expect, test } from 'vitest'
import { column } from '../../every-type.ts'
import { queryDuckDb } from '../../query-duckdb.ts'
import { withScratchFile } from '../../../storage/scratch-file.ts'
import { toArrayBuffer, writeParquet } from '../write-parquet.ts'

const columns = [
  column('id', 'text'),
  { ...column('public_price', 'integer'), unit: 'delivered' as const },
  {
    name: 'price_eur',
    type: { kind: 'decimal', precision: 12, scale: 2 } as const,
    list: false,
    unit: 'cents' as const,
  },
]
const units = {
  public_price: 'money, the whole number as delivered',
  price_eur: 'money, delivered in cents, divided by 100',
}

test('the footer of a Parquet file names the unit of every money column, as DuckDB reads it', async () => {
  for (const rows of [[], [['M1', 2536, 2536]]]) {
    const bytes = await writeParquet(columns, [rows])
    const [[text] = []] = await withScratchFile(bytes, readUnits)
    expect(JSON.parse(String(text))).toEqual(units)
  }
})

test('each chunk of a money column in a Parquet file names its unit, and no other chunk does', async () => {
  const bytes = await writeParquet(columns, [[['M1', 2536, 2536]]])
  const [group] = parquetMetadata(toArrayBuffer(bytes)).row_groups
  expect(group?.columns.map(({ meta_data }) => meta_data?.key_value_metadata)).toEqual([
    undefined,
    [{ key: 'unit', value: units.public_price }],
    [{ key: 'unit', value: units.price_eur }],
  ])
  expect(await withScratchFile(bytes, readPrices)).toEqual([['2536', '25.36']])
})

test('a Parquet file without money names no unit', async () => {
  const bytes = await writeParquet(columns.slice(0, 1), [[['M1']]])
  const keys = parquetMetadata(toArrayBuffer(bytes)).key_value_metadata?.map(({ key }) => key)
  expect(keys).toEqual(['catalogue-etl.run_id'])
})

function readUnits(path: string): Promise<unknown[][]> {
  return queryDuckDb(
    `SELECT decode(value) FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'catalogue-etl.units'`,
  )
}

function readPrices(path: string): Promise<unknown[][]> {
  return queryDuckDb(`SELECT public_price, price_eur::TEXT FROM read_parquet('${path}')`)
}
