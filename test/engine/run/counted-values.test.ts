import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { cases } from '../../depth.ts'
import { RunFolder } from '../run-folder.ts'

test('counts and presence in a Parquet file equal those that DuckDB finds in the raw lines', async () => {
  const folder = await RunFolder.create()
  const raw = join(folder.path, 'raw.ndjson')
  const lines = generateLines({ contract: 'v4/product', records: cases(3000, 200), seed: 7 })
  await writeFile(raw, Buffer.concat([...lines]))
  await runPipeline({
    name: 'counted',
    source: { files: raw, contract: 'v4/product' },
    contract: { invalidValues: null },
    tables: {
      products: {
        columns: [
          'id',
          { column: 'photos', count: 'photos[]' },
          { column: 'packshots', count: 'photos[]', where: { photoType: 'packshot' } },
          { column: 'has_price', has: 'publicPrice' },
          { column: 'has_name', has: 'name', locale: 'nl' },
          { column: 'has_packshot', has: 'photos[].formats.large', where: { photoType: 'packshot' } },
        ],
      },
    },
    outputs: [{ format: 'parquet', path: join(folder.out, '{table}.parquet') }],
  })
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  const isPackshot = `json_extract_string(p, '$.photoType') = 'packshot'`
  const counted = `SELECT r ->> '$.id', len(photos), len(list_filter(photos, lambda p: ${isPackshot})), coalesce(json_type(r, '$.publicPrice'), 'NULL') <> 'NULL',
      coalesce(r ->> '$.name.nl', '') <> '', len(list_filter(photos, lambda p: ${isPackshot} AND coalesce(json_extract_string(p, '$.formats.large'), '') <> '')) > 0
    FROM (SELECT r, list_filter(coalesce(r -> '$.photos[*]', []), lambda p: json_type(p) <> 'NULL') AS photos
      FROM (SELECT json_extract(json, '$.result') AS r FROM read_ndjson_objects('${raw}')))`
  const expected = await read(counted)
  expect(await read(`SELECT * FROM read_parquet('${join(folder.out, 'products.parquet')}')`)).toEqual(expected)
  expect(new Set(expected.map((row) => JSON.stringify(row.slice(1)))).size).toBeGreaterThan(10)
  await folder.remove()
})
