import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { RunFolder } from '../../engine/run-folder.ts'
import { skipsPostgres, startPostgres, type PostgresServer } from '../databases/postgres-server.ts'

const nul = String.raw`\u0000`
const longId = 'L'.repeat(2049)
const bad = [
  `{"id":"IN-TEXT","status":"active","name":{"nl":"a${nul}b"}}`,
  `{"id":"ID${nul}","status":"active"}`,
  `{"id":"${longId}","status":"active"}`,
  `{"id":"IN-CHILD","photos":[{"id":1,"photoType":"x${nul}"}]}`,
  `{"id":"IN-LIST","ean":["${nul}"]}`,
  `{"id":"IN-UNKNOWN","brandNew":"x${nul}"}`,
]
const good = [
  '{"id":"A","status":"active","name":{"nl":"one"}}',
  String.raw`{"id":"B","status":"active","seoName":{"nl":"\\u0000"}}`,
  '{"id":"IN-TEXT-STAYS","name":{"nl":"old"}}',
]
const tables: PipelineConfig['tables'] = {
  products: { columns: ['id', 'status', 'name', 'ean', { column: 'raw', from: '$', as: 'json' }] },
  photos: { each: 'photos[]', columns: ['id', 'photoType'] },
}

describe.skipIf(skipsPostgres)('a record that PostgreSQL cannot hold', () => {
  let server: PostgresServer
  let folder: RunFolder
  beforeAll(async () => (server = await startPostgres()))
  afterAll(() => server.stop())
  beforeEach(async () => (folder = await RunFolder.create()))
  afterEach(() => folder.remove())

  const load = async (lines: readonly string[], rejects: PipelineConfig['rejects']) => {
    const stream = lines.map(
      (result, index) => `{"meta":{"total":${lines.length},"index":${index}},"result":${result}}\n`,
    )
    await folder.write('input.ndjson', stream.join(''))
    const outputs: PipelineConfig['outputs'] = [
      { format: 'postgres', url: server.url.text, schema: 'catalogue', mode: 'merge' },
    ]
    return folder.run({ tables, outputs, rejects, manifest: { path: 'out/_manifest.json' } })
  }

  test('a record that PostgreSQL cannot hold is a reject with its column, and the others are loaded, night after night', async () => {
    await load([...good], {})
    for (const night of [1, 2]) {
      const stays = `{"id":"IN-TEXT-STAYS","name":{"nl":"new ${night}${nul}"}}`
      const lines = [...good.slice(0, 2), ...bad, stays]
      const { ledger } = await load(lines, { limit: '100%', path: 'out/_rejects.ndjson' })
      expect(ledger).toMatchObject({ lines: 9, accepted: 2, rejected: 7 })
      const kept = await server.query('SELECT id, name_nl FROM catalogue.products ORDER BY id')
      expect(kept).toEqual([
        ['A', 'one'],
        ['B', null],
        ['IN-TEXT-STAYS', 'old'],
      ])
    }
    const rejects = (await readFile(join(folder.out, '_rejects.ndjson'), 'utf8')).split('\n').slice(0, -1)
    const issues = rejects.map((line) => (JSON.parse(line) as { issues: { code: string; path: string }[] }).issues)
    expect(issues.flat().map(({ code }) => code)).toEqual(issues.flat().map(() => 'not_storable'))
    expect(issues.map((of) => of.map(({ path }) => path).join())).toEqual([
      'name.nl,$',
      'id,$,id',
      'id,id',
      '$,photoType',
      'ean[],$',
      '$',
      'name.nl,$',
    ])
  })

  test('a record that PostgreSQL cannot hold is accepted if no output is PostgreSQL', async () => {
    await folder.write('input.ndjson', bad.map((line) => `${line}\n`).join(''))
    const { ledger } = await folder.run({ tables, outputs: [{ format: 'parquet', path: 'out/{table}.parquet' }] })
    expect(ledger).toMatchObject({ lines: 6, accepted: 6 })
  })
})
