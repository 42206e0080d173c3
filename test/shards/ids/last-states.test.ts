import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { cases } from '../../depth.ts'
import { LandingFolder } from '../../engine/fetch/landing-folder.ts'
import { runPlain, runSharded } from './planned-folder.ts'

const begun = Date.UTC(2023, 0, 31, 3)

let sandbox: Sandbox
let folder: LandingFolder

beforeAll(async () => {
  sandbox = await startSandbox({ products: 60, rateLimit: false, now: () => begun })
  folder = await LandingFolder.create(sandbox)
})
afterAll(async () => {
  await sandbox.close()
  await folder.remove()
})

test('the last state of every product from years of landed exports, in shards, is that of one process and of SQL', async () => {
  const exports = cases(20, 10)
  for (let month = 0; month < exports; month++) {
    if (month > 0) sandbox.advance()
    const date = new Date(Date.UTC(2023, month, 28)).toISOString().slice(0, 10)
    // Compressed files can't be cut.
    await folder.fetch(`archive/${date}.ndjson${month % 3 === 0 ? '.gz' : ''}`)
  }
  const config: PipelineConfig = {
    name: 'last-states',
    source: { files: folder.at('archive/*.ndjson*'), contract: 'v4/product' },
    duplicates: 'last',
    tables: { products: { columns: ['id', 'status', 'publicPrice'] } },
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
  }
  const place = { folder: folder.path, config }
  const { plan, ...sharded } = await runSharded(place, 1_000_000)
  expect(sharded).toEqual(await runPlain(place))
  expect(plan.shards.length).toBeGreaterThan(exports / 3)
  const { accepted, duplicate, repeatedIds, rejected, lines } = sharded.ledger
  expect({ duplicate, repeatedIds }).toEqual({ duplicate: lines - accepted - rejected, repeatedIds: duplicate })
  expect(sharded.rows.map((row) => row.split(',', 2).join(',')).toSorted()).toEqual(await queryStates('desc'))
  expect(await queryStates('asc')).not.toEqual(await queryStates('desc'))
})

/** The last or first line of every product, with files in the order of their names. */
async function queryStates(order: 'desc' | 'asc'): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  try {
    const connection = await instance.connect()
    const files = ['ndjson', 'ndjson.gz'].map((ending) => `'${join(folder.path, `archive/????-??-??.${ending}`)}'`)
    const lines = `read_csv([${files.join(', ')}], columns = {'line': 'VARCHAR'}, delim = chr(1),
      quote = '', escape = '', header = false, auto_detect = false, filename = true, max_line_size = 10000000)`
    const numbered = `select line, filename as file, row_number() over (partition by filename) as number from ${lines}`
    const states = `select line ->> '$.result.id' as id, coalesce(line ->> '$.result.status', '') as status,
      row_number() over (partition by line ->> '$.result.id' order by file ${order}, number ${order}) as age from (${numbered})`
    const sql = `select id || ',' || status from (${states}) where age = 1`
    const rows = (await connection.runAndReadAll(sql)).getRows()
    return rows.map(([row]) => String(row)).toSorted()
  } finally {
    instance.closeSync()
  }
}
