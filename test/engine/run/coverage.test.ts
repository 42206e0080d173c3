import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { cases } from '../../depth.ts'
import type { RunProfile } from '../../../src/kernel/profile/run-profile.ts'
import { RunFolder } from '../run-folder.ts'

test('coverage and lengths of lists in a profile equal those that DuckDB finds in the raw lines', async () => {
  const folder = await RunFolder.create()
  const lines = Buffer.concat([...generateLines({ contract: 'v4/product', records: cases(3000, 200), seed: 3 })])
  const extra = ['{"id":"X1","photos":[null]}', '{"id":"X2","publicPrice":0,"name":{"nl":""}}']
  const raw = await folder.write('input.ndjson', Buffer.concat([lines, Buffer.from(`${extra.join('\n')}\n`)]))
  await folder.run({ locales: ['nl', 'fr'], contract: { invalidValues: null }, completeness: 'report' })
  const profile = JSON.parse(await readFile(join(folder.out, '_profile.json'), 'utf8')) as RunProfile
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const records = `(SELECT coalesce(json_extract(json, '$.result'), json) AS r FROM read_ndjson_objects('${raw}'))`
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  const isThere = `coalesce(json_type(x), 'NULL') <> 'NULL'`
  const packshots = any('$.photos', `json_extract_string(x, '$.photoType') = 'packshot'`)
  const parts = [
    has('$.name.nl'),
    has('$.name.fr'),
    has('$.publicPrice'),
    packshots,
    has('$.cnk'),
    any('$.ean', isThere),
  ]
  const groups = await read(
    `SELECT r ->> '$.status' AS status, count(*), ${parts.join(', ')} FROM ${records} GROUP BY ALL`,
  )
  const lengths = await read(
    `SELECT least(len(list_filter(${list('$.photos')}, lambda x: ${isThere})), 10) AS n, count(*) FROM ${records} GROUP BY ALL ORDER BY n`,
  )
  const [status] = profile.coverage ?? []
  const found = (status?.groups ?? []).map(({ value, rows, filled }) => [value, rows, ...filled].map(String))
  expect(new Set(found.map(String))).toEqual(new Set(groups.map((row) => row.map(String).join(','))))
  expect(status?.columns.map(({ label }) => label)).toEqual(['name nl', 'name fr', 'price', 'packshot', 'cnk', 'ean'])
  const [photos] = profile.listLengths ?? []
  const counts = (photos?.counts ?? []).flatMap((rows, length) => (rows === 0 ? [] : [[String(length), String(rows)]]))
  expect(counts).toEqual(lengths.map((row) => row.map(String)))
  await folder.remove()
})

function has(path: string): string {
  return `count(*) FILTER (coalesce(json_type(r, '${path}'), 'NULL') <> 'NULL')`
}

function list(path: string): string {
  return `CASE json_type(r, '${path}') WHEN 'ARRAY' THEN json_extract(r, '${path}[*]') ELSE [json_extract(r, '${path}')] END`
}

function any(path: string, value: string): string {
  return `count(*) FILTER (len(list_filter(${list(path)}, lambda x: ${value})) > 0)`
}
