import { parquetMetadata } from 'hyparquet'
import { expect, test } from 'vitest'
import { numberFields } from '../../../src/formats/parquet/parquet-type.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { withScratchFile } from '../../storage/scratch-file.ts'
import { column, everyColumn } from '../every-type.ts'
import { queryDuckDb } from '../query-duckdb.ts'
import { toArrayBuffer, writeParquet } from './write-parquet.ts'

const micro = { kind: 'timestamp', isMicro: true } as const
const columns: readonly Column[] = [
  column('id', 'text'),
  column('seen', micro, true),
  column('at', micro),
  column('names', 'text', true),
]
const at = Date.parse('2026-01-02T03:04:05.006Z') * 1000
const rows: readonly Row[] = [
  ['a', [at, null], at, ['x']],
  ['b', null, -62135596800000000n, []],
]

test('a Parquet file for a lake has its times in microseconds, for readers of both kinds of types', async () => {
  const bytes = await writeParquet(columns, [rows], { fields: {} })
  const types = parquetMetadata(toArrayBuffer(bytes)).schema.filter(({ name }) => name === 'at' || name === 'element')
  expect(types.map(({ name, converted_type, logical_type }) => [name, converted_type, logical_type])).toMatchObject([
    ['element', 'TIMESTAMP_MICROS', { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' }],
    ['at', 'TIMESTAMP_MICROS', { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' }],
    ['element', 'UTF8', { type: 'STRING' }],
  ])
  const read = await withScratchFile(bytes, (path) =>
    queryDuckDb(`SELECT CAST("at" AS VARCHAR), CAST(seen AS VARCHAR) FROM read_parquet('${path}')`),
  )
  expect(read).toEqual([
    ['2026-01-02 03:04:05.006+00', "['2026-01-02 03:04:05.006+00', NULL]"],
    ['0001-01-01 00:00:00+00', null],
  ])
})

test('fields of a Parquet file have ids if they are asked for, those of list elements after those of all columns', async () => {
  const ids = async (fieldIds?: ReturnType<typeof numberFields>) => {
    const bytes = await writeParquet(columns, [rows], { fieldIds })
    return parquetMetadata(toArrayBuffer(bytes)).schema.flatMap(({ name, field_id: id }) =>
      id === undefined ? [] : [[name, id]],
    )
  }
  expect(await ids()).toEqual([])
  expect(await ids(numberFields(columns))).toEqual([
    ['id', 1],
    ['seen', 2],
    ['element', 5],
    ['at', 3],
    ['names', 4],
    ['element', 6],
  ])
})

test('a Parquet file tells its statistics by row group before it is finished, and field ids change nothing else', async () => {
  const groups: number[] = []
  const bytes = await writeParquet(columns, [rows.slice(0, 1), rows.slice(1)], {
    rowGroupRows: 1,
    onRowGroup: (group) => groups.push(group.columns[2]?.nulls ?? -1, group.columns.length),
  })
  expect(groups).toEqual([0, 4, 0, 4])
  expect(bytes).toEqual(await writeParquet(columns, [rows.slice(0, 1), rows.slice(1)], { rowGroupRows: 1 }))
  expect(numberFields(everyColumn).map(({ column: id }) => id)).toEqual(everyColumn.map((_, index) => index + 1))
})
